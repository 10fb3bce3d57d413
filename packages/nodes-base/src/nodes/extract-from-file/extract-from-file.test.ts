import { describe, expect, test } from '@jest/globals';
import type { Item, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { samplePdf } from '../../testing/sample-pdf.ts';
import { sampleSheet } from '../../testing/sample-sheet.ts';
import { extractFromFile } from './extract-from-file.ts';

/** Runs the node over items that each have one file, in `data`. */
async function extract(
  contents: (string | Uint8Array)[],
  parameters: JsonObject,
  run: Omit<FakeRun, 'parameters'> & { json?: JsonObject[] } = {},
): Promise<Item[]> {
  const binary = memoryBinary();
  const items = await Promise.all(
    contents.map(async (content, index): Promise<Item> => {
      const data = await binary.store(Buffer.from(content), { fileName: `file-${index}` });
      return { json: run.json?.[index] ?? { id: index }, binary: { data } };
    }),
  );
  const { json: _, ...more } = run;
  return (await runNode(extractFromFile, { ...more, inputs: [items], binary, parameters }))[0] ?? [];
}

const rows = async (content: string | Uint8Array, parameters: JsonObject) =>
  (await extract([content], parameters)).map(({ json }) => json);

describe.each([1, 1.1])('version %d: CSV', (typeVersion) => {
  test('each row is an item with string values, without empty values, paired with the file’s item', async () => {
    expect(await extract(['a,b\n1,x\n2,\n', 'a\n3\n'], {}, { typeVersion })).toEqual([
      { json: { a: '1', b: 'x' }, pairedItem: { item: 0 } },
      { json: { a: '2' }, pairedItem: { item: 0 } },
      { json: { a: '3' }, pairedItem: { item: 1 } },
    ]);
  });
});

describe('CSV', () => {
  test.each<[string, JsonObject, JsonObject[]]>([
    ['a;b\n1;2', { delimiter: ';' }, [{ a: '1', b: '2' }]],
    ['a\tb\n1\t2', { delimiter: '\\t' }, [{ a: '1', b: '2' }]],
    ['a,b\n1,\n', { includeEmptyCells: true }, [{ a: '1', b: '' }]],
    ['1,2\n3,4\n', { headerRow: false }, [{ row: { 0: '1', 1: '2' } }, { row: { 0: '3', 1: '4' } }]],
    ['1,,3\n', { headerRow: false }, [{ row: { 0: '1', 2: '3' } }]],
    ['1,,3\n', { headerRow: false, includeEmptyCells: true }, [{ row: ['1', '', '3'] }]],
    ['a\n1\n2\n3\n', { maxRowCount: 2 }, [{ a: '1' }, { a: '2' }]],
    ['a\n1\n2\n3\n', { maxRowCount: 0 }, []],
    ['# made by hand\na\n1\n', { fromLine: 2 }, [{ a: '1' }]],
    ['a,b\n1,x"y\n', { relaxQuotes: true }, [{ a: '1', b: 'x"y' }]],
    [
      'a,b\n1,2\n3\n4,5\n',
      { skipRecordsWithErrors: { value: { enabled: true } } },
      [
        { a: '1', b: '2' },
        { a: '4', b: '5' },
      ],
    ],
    ['"a\nb",c\n"1\n2",3', {}, [{ 'a\nb': '1\n2', c: '3' }]],
    ['__proto__,constructor\n1,2', {}, [JSON.parse('{ "__proto__": "1", "constructor": "2" }') as JsonObject]],
    ['', {}, []],
  ])('%j with %j', async (content, options, expected) => {
    expect(await rows(content, { operation: 'csv', options })).toEqual(expected);
  });

  test('a byte order mark is kept in the first name, unless the option removes it', async () => {
    const [row] = await rows('\uFEFFa\n1', { operation: 'csv' });
    expect(Object.keys(row ?? {})).toEqual(['\uFEFFa']);
    expect(await rows('\uFEFFa\n1', { operation: 'csv', options: { enableBOM: true } })).toEqual([{ a: '1' }]);
  });

  test('the option sets the encoding', async () => {
    expect(await rows(Buffer.from('ä\nö', 'latin1'), { operation: 'csv', options: { encoding: 'latin1' } })).toEqual([
      { ä: 'ö' },
    ]);
    expect(await rows(Buffer.from('ä\nö', 'utf16le'), { operation: 'csv', options: { encoding: 'utf16le' } })).toEqual([
      { ä: 'ö' },
    ]);
  });

  test.each<[string, JsonObject, string]>([
    ['a,b\n1\n', {}, 'Invalid Record Length'],
    ['a,b\n1,"x\n', {}, 'Quote Not Closed'],
    [
      'a\n1,2\n1,2\n',
      { skipRecordsWithErrors: { value: { enabled: true, maxSkippedRecords: 1 } } },
      'too many records with errors',
    ],
    [`a\n"${'x'.repeat(5_000_000)}`, {}, 'Max Record Size'],
  ])('invalid input is reported: %#', async (content, options, message) => {
    await expect(rows(content, { operation: 'csv', options })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      itemIndex: 0,
      description: expect.stringContaining('Delimiter'),
    });
  });

  test.each(['utf16le', 'utf16be'])('%s is recognized by its mark', async (encoding) => {
    const swapped = (bytes: Buffer) => (encoding === 'utf16le' ? bytes : bytes.swap16());
    const file = (text: string) => swapped(Buffer.from(`\uFEFF${text}`, 'utf16le'));
    expect(await rows(file('ä,b\n1,ö'), { operation: 'csv' })).toEqual([{ ä: '1', b: 'ö' }]);
    expect(await rows(file('grün'), { operation: 'text' })).toEqual([{ data: 'grün' }]);
    expect(await rows(file('{"ä":1}'), { operation: 'fromJson' })).toEqual([{ data: { ä: 1 } }]);
    expect(await rows(file('<table><tr><td>ä</td></tr><tr><td>ö</td></tr></table>'), { operation: 'html' })).toEqual([
      { ä: 'ö' },
    ]);
  });

  test('UTF-8 is read without its byte order mark, as text and as JSON', async () => {
    expect(await rows('\uFEFFx', { operation: 'text' })).toEqual([{ data: 'x' }]);
    expect(await rows('\uFEFF{"a":1}', { operation: 'fromJson' })).toEqual([{ data: { a: 1 } }]);
  });

  test('an unknown encoding is an error', async () => {
    await expect(rows('a', { operation: 'csv', options: { encoding: 'klingon' } })).rejects.toThrow(
      'no encoding named "klingon"',
    );
  });
});

describe('spreadsheets', () => {
  test.each(['xlsx', 'xls', 'ods', 'rtf', 'html'] as const)('%s: an item for each row of the first sheet', async (format) => {
    const file = sampleSheet(
      {
        Sheet: [
          ['name', 'count'],
          ['bolt', 12],
          ['nut', 7.5],
        ],
      },
      format,
    );
    expect(await rows(file, { operation: format })).toEqual([
      { name: 'bolt', count: 12 },
      { name: 'nut', count: 7.5 },
    ]);
  });

  const book = sampleSheet(
    {
      One: [
        ['a', 'b'],
        [1, null],
        [2, 'x'],
      ],
      Two: [['c'], [3]],
    },
    'xlsx',
  );

  test.each<[JsonObject, JsonValue[]]>([
    [{ sheetName: 'Two' }, [{ c: 3 }]],
    [
      { includeEmptyCells: true },
      [
        { a: 1, b: '' },
        { a: 2, b: 'x' },
      ],
    ],
    [{ headerRow: false }, [{ row: ['a', 'b'] }, { row: [1] }, { row: [2, 'x'] }]],
    [{ range: 'A1:A2' }, [{ a: 1 }]],
    [{ range: '1' }, [{ '1': 2, __EMPTY: 'x' }]],
  ])('with %j', async (options, expected) => {
    expect(await rows(book, { operation: 'xlsx', options })).toEqual(expected);
  });

  test('dates are numbers of days, as in Excel', async () => {
    const file = sampleSheet({ S: [['day'], [new Date(Date.UTC(2024, 0, 1))]] }, 'xlsx');
    expect(await rows(file, { operation: 'xlsx' })).toEqual([{ day: 45292 }]);
  });

  test('the error for a missing sheet lists the existing sheets', async () => {
    await expect(rows(book, { operation: 'xlsx', options: { sheetName: 'Three' } })).rejects.toMatchObject({
      message: 'the spreadsheet cannot be read: it has no sheet named "Three"; its sheets are: One, Two',
      itemIndex: 0,
    });
  });

  test.each(['xlsx', 'xls', 'ods'])('%s: text, and bytes that are no known format, are no spreadsheet', async (operation) => {
    for (const content of ['hello', 'a,b\n1,2', Buffer.from('89504e470d0a1a0a00000001', 'hex')]) {
      await expect(rows(content, { operation })).rejects.toMatchObject({
        message: expect.stringContaining('the file is not a spreadsheet'),
        description: expect.stringContaining('CSV'),
        itemIndex: 0,
      });
    }
  });

  test.each(['xlsx', 'xls', 'ods'])(
    '%s: a workbook in another format, or a table under its name, is read',
    async (operation) => {
      for (const format of ['xlsx', 'xls', 'ods', 'html'] as const) {
        expect(await rows(sampleSheet({ S: [['a'], [1]] }, format), { operation })).toEqual([{ a: 1 }]);
      }
    },
  );

  test.each([
    ['html', 'just text'],
    ['html', '<p>no rows</p>'],
    ['html', ''],
    ['rtf', 'just text'],
    ['rtf', '{\\rtf1 just text}'],
  ])('%s: a file without a table of this kind is refused', async (operation, content) => {
    await expect(rows(content, { operation })).rejects.toMatchObject({
      message: `the file has no ${operation.toUpperCase()} table`,
      itemIndex: 0,
      description: expect.any(String),
    });
  });

  test('an HTML table may start late in the file', async () => {
    const late = `${'<!-- -->'.repeat(200_000)}<table><tr><td>a</td></tr><tr><td>b</td></tr></table>`;
    expect(await rows(late, { operation: 'html' })).toEqual([{ a: 'b' }]);
  });

  test('RTF escapes are decoded to letters', async () => {
    const row = (cell: string) => String.raw`\trowd\cellx1\pard\intbl ${cell}\cell\pard\intbl\row`;
    const rtf = String.raw`{\rtf1\ansi ${row('a')}${row(String.raw`gr\'fcn \u8364?\u-10179?\u-8704?`)}}`;
    expect(await rows(rtf, { operation: 'rtf' })).toEqual([{ a: 'grün €😀' }]);
  });

  test('a truncated archive, and an archive that is not a spreadsheet, are errors', async () => {
    await expect(rows(book.subarray(0, 900), { operation: 'xlsx' })).rejects.toThrow('the archive cannot be read');
    await expect(
      rows(Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), { operation: 'xlsx' }),
    ).rejects.toThrow('the spreadsheet cannot be read');
  });
});

describe('one value per file', () => {
  test('JSON, text, XML, and base64 are stored in the chosen field and replace the item', async () => {
    expect(await extract(['{"a":[1]}', ''], { operation: 'fromJson' })).toEqual([
      { json: { data: { a: [1] } }, pairedItem: { item: 0 } },
      { json: { data: {} }, pairedItem: { item: 1 } },
    ]);
    expect(await rows('\uFEFFhä', { operation: 'text', destinationKey: 'out.text' })).toEqual([{ out: { text: 'hä' } }]);
    expect(await rows('<a/>', { operation: 'xml' })).toEqual([{ data: '<a/>' }]);
    expect(await rows('hello', { operation: 'binaryToPropery' })).toEqual([{ data: 'aGVsbG8=' }]);
  });

  test.each([
    ['json', { id: 0, data: 'x' }, false],
    ['binary', { data: 'x' }, true],
    ['both', { id: 0, data: 'x' }, true],
  ])('the option determines whether the source is kept: %s', async (keepSource, json, hasFile) => {
    const [item] = await extract(['x'], { operation: 'text', options: { keepSource } });
    expect(item?.json).toEqual(json);
    expect(item?.binary !== undefined).toBe(hasFile);
  });

  test('the item’s other files are kept', async () => {
    const binary = memoryBinary();
    const [read, other] = await Promise.all(['x', 'y'].map((text) => binary.store(Buffer.from(text), {})));
    const item = { json: {}, binary: { read, other } } as Item;
    const run = { inputs: [[item]], binary, parameters: { operation: 'text', binaryPropertyName: 'read' } };
    expect(await runNode(extractFromFile, run)).toEqual([
      [{ json: { data: 'x' }, binary: { other }, pairedItem: { item: 0 } }],
    ]);
  });

  test('the options set encoding and byte order mark', async () => {
    expect(await rows(Buffer.from([0xe4]), { operation: 'text', options: { encoding: 'windows1252' } })).toEqual([
      { data: 'ä' },
    ]);
    expect(await rows('\uFEFFx', { operation: 'text', options: { stripBOM: false } })).toEqual([{ data: '\uFEFFx' }]);
  });

  test('a calendar becomes JSON, with timestamps in UTC', async () => {
    const text = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//a//b',
      'BEGIN:VEVENT',
      'UID:1@x',
      'DTSTAMP:20240101T000000Z',
      'DTSTART;TZID=Europe/Berlin:20240105T100000',
      'DTEND:20240105T110000Z',
      'SUMMARY:Hi\\, there',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n');
    const [json] = await rows(text, { operation: 'fromIcs' });
    expect(json).toMatchObject({
      data: {
        version: '2.0',
        events: [
          {
            uid: '1@x',
            summary: 'Hi, there',
            start: { date: '2024-01-05T09:00:00.000Z' },
            end: { date: '2024-01-05T11:00:00.000Z' },
          },
        ],
      },
    });
  });

  test.each([
    ['fromJson', '{', 'the file is not valid JSON'],
    ['fromJson', '['.repeat(2_000), 'nested deeper'],
    ['fromJson', `[${'[],'.repeat(1_000_000)}1]`, 'more than 1000000 lists and objects'],
    ['fromIcs', 'hello', 'the calendar cannot be read: it does not begin with BEGIN:VCALENDAR'],
    ['pdf', 'hello', 'the PDF file cannot be read'],
  ])('%s: invalid input is reported', async (operation, content, message) => {
    await expect(rows(content, { operation })).rejects.toMatchObject({
      code: 'NODE_OPERATION_ERROR',
      message: expect.stringContaining(message),
      itemIndex: 0,
    });
  });
});

describe('PDF', () => {
  test('returns the text, page by page, and the document’s metadata', async () => {
    const [json] = await rows(samplePdf([['Hello', 'world'], ['Second page']]), { operation: 'pdf' });
    expect(json).toMatchObject({
      numpages: 2,
      numrender: 2,
      info: { Title: 'Sample' },
      text: 'Hello\nworld\n\nSecond page',
      version: expect.any(String),
    });
  });

  test('pages can be a list, and their number limited', async () => {
    const options = { joinPages: false, maxPages: 1 };
    expect(await rows(samplePdf([['One'], ['Two']]), { operation: 'pdf', options })).toMatchObject([
      { numpages: 2, numrender: 1, text: ['One'] },
    ]);
  });
});

test('the error for a missing file lists the item’s files', async () => {
  await expect(extract(['x'], { operation: 'text', binaryPropertyName: 'attachment' })).rejects.toMatchObject({
    message: 'item 0 has no file in "attachment"',
    description: 'Its files are in: data',
    itemIndex: 0,
  });
});

test('if the node continues, a failed item has an error and the other items succeed', async () => {
  const items = await extract(['{', '{"a":1}'], { operation: 'fromJson' }, { continueOnFail: true });
  expect(items).toEqual([
    { json: { error: expect.stringContaining('not valid JSON') }, pairedItem: { item: 0 } },
    { json: { data: { a: 1 } }, pairedItem: { item: 1 } },
  ]);
});

test('a fired signal ends the node with its reason', async () => {
  const abort = new AbortController();
  const reason = new Error('canceled');
  const running = extract(
    [sampleSheet({ S: [['a'], [1]] }, 'xlsx')],
    { operation: 'xlsx' },
    { signal: abort.signal, continueOnFail: true },
  );
  abort.abort(reason);
  await expect(running).rejects.toBe(reason);
});

test('an unknown operation is an error', async () => {
  await expect(extractFromFile.execute?.(fakeContext({ parameters: { operation: 'docx' } }))).rejects.toThrow('must be one of');
});
