import { read, utils } from '@e965/xlsx';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { extractFromFile } from '../extract-from-file/extract-from-file.ts';
import { convertToFile } from './convert-to-file.ts';

/** Runs the node and reads the file of each item. */
async function convert(json: JsonObject[], parameters: JsonObject, run: Partial<FakeRun> = {}) {
  const binary = memoryBinary();
  const [items = []] = await runNode(convertToFile, { ...run, binary, json, parameters });
  return Promise.all(
    (items ?? []).map(async ({ json: fields, binary: files = {}, pairedItem }) => {
      const [property = '', file] = Object.entries(files)[0] ?? [];
      const bytes = file ? Buffer.from(await binary.read(file)) : Buffer.alloc(0);
      return {
        json: fields,
        property,
        fileName: file?.fileName,
        mimeType: file?.mimeType,
        pairedItem,
        bytes,
        text: bytes.toString(),
      };
    }),
  );
}

const people: JsonObject[] = [
  { name: 'Ada, Countess', born: 1815, tags: ['a', 'b'] },
  { name: 'Alan "T"', alive: false, home: { city: 'London' } },
];

describe.each([1, 1.1])('version %d', (typeVersion) => {
  test('CSV: all items are in one file, with a byte order mark; nested fields have separate columns', async () => {
    const [file, ...others] = await convert(people, {}, { typeVersion });
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      json: {},
      property: 'data',
      fileName: 'File.csv',
      mimeType: 'text/csv',
      pairedItem: [{ item: 0 }, { item: 1 }],
      text: '\uFEFFname,born,tags.0,tags.1,alive,home.city\n"Ada, Countess",1815,a,b,,\n"Alan ""T""",,,,FALSE,London',
    });
  });

  test.each(['xlsx', 'xls', 'ods', 'html', 'rtf'] as const)('%s: a row for each item', async (operation) => {
    const [file] = await convert(
      [
        { a: 1, b: 'x' },
        { a: 2, c: true },
      ],
      { operation },
      { typeVersion },
    );
    const { Sheets, SheetNames } = read(file?.bytes, { type: 'buffer' });
    expect(utils.sheet_to_json(Sheets[SheetNames[0] ?? ''] ?? {})).toEqual([
      { a: 1, b: 'x' },
      { a: 2, c: true },
    ]);
    expect(file?.fileName).toBe(`File.${operation}`);
  });
});

describe.each(['html', 'rtf'])('%s', (operation) => {
  const hostile: JsonObject[] = [
    { 'ä\n"q"': '<b title="x">&amp;', 'b}': 'a\\cell {b}\tc' },
    { 'ä\n"q"': '€ 日本 😀', 'b}': 'C:\\new' },
  ];

  test('stores any string as text: reading it back returns the same string', async () => {
    const binary = memoryBinary();
    const [items] = await runNode(convertToFile, { binary, json: hostile, parameters: { operation } });
    const [rows = []] = await runNode(extractFromFile, { binary, inputs: [items ?? []], parameters: { operation } });
    expect(rows?.map(({ json }) => json)).toEqual(
      // A tab is white space in HTML.
      operation === 'rtf' ? hostile : hostile.map((row) => ({ ...row, 'b}': String(row['b}']).replace('\t', ' ') })),
    );
  });

  test('is plain: values are not markup, and RTF is ASCII', async () => {
    const [file] = await convert(hostile, { operation });
    if (operation === 'html') {
      expect(file?.text).toContain('<td data-t="s">ä<br/>&quot;q&quot;</td>');
      expect(file?.text).toContain('<td data-t="s">&lt;b title=&quot;x&quot;&gt;&amp;amp;</td>');
    } else {
      expect(file?.text).toMatch(/^[\n\x20-\x7E]+$/);
      expect(file?.text).toContain(String.raw`a\\cell \{b\}`);
    }
  });
});

test('tables have the format that the options define', async () => {
  const [csv] = await convert([{ a: 1, b: 2 }], {
    operation: 'csv',
    binaryPropertyName: 'out',
    options: { delimiter: ';', headerRow: false, fileName: 'x.csv' },
  });
  expect(csv).toMatchObject({ property: 'out', fileName: 'x.csv', text: '\uFEFF1;2' });
  const [sheet] = await convert([{ a: 1 }], {
    operation: 'xlsx',
    options: { sheetName: 'Mine', compression: true, headerRow: false },
  });
  const workbook = read(sheet?.bytes, { type: 'buffer' });
  expect(workbook.SheetNames).toEqual(['Mine']);
  expect(utils.sheet_to_json(workbook.Sheets['Mine'] ?? {}, { header: 1 })).toEqual([[1]]);
});

test('long tables are complete', async () => {
  const [file] = await convert(
    Array.from({ length: 2_500 }, (_, n) => ({ n })),
    { operation: 'csv' },
  );
  expect(file?.text.split('\n')).toHaveLength(2_501);
});

test('a table of items that share no fields is too large', async () => {
  const items = Array.from({ length: 3_000 }, (_, n) => ({ [`f${n}`]: n }));
  await expect(convert(items, { operation: 'csv' })).rejects.toThrow('a table of more than 5000000 cells');
  const wide = [Object.fromEntries(Array.from({ length: 16_385 }, (_, n) => [`f${n}`, n]))];
  await expect(convert(wide, { operation: 'csv' })).rejects.toThrow('more than 16384 columns');
});

describe('JSON', () => {
  test('all items are in one file, or each item is in a separate file', async () => {
    expect(await convert([{ a: 1 }, { b: 2 }], { operation: 'toJson' })).toMatchObject([
      {
        text: '[{"a":1},{"b":2}]',
        fileName: 'file.json',
        mimeType: 'application/json',
        pairedItem: [{ item: 0 }, { item: 1 }],
      },
    ]);
    expect(await convert([{ a: 1 }, { b: 2 }], { operation: 'toJson', mode: 'each' })).toMatchObject([
      { text: '{"a":1}', pairedItem: { item: 0 } },
      { text: '{"b":2}', pairedItem: { item: 1 } },
    ]);
  });

  test('the options set format, encoding, byte order mark, and name', async () => {
    const options = { format: true, encoding: 'utf16le', addBOM: true, fileName: 'x.json' };
    const [file] = await convert([{ a: 1 }], { operation: 'toJson', mode: 'each', options });
    expect(file?.bytes.toString('utf16le')).toBe('\uFEFF{\n  "a": 1\n}');
    expect(file?.fileName).toBe('x.json');
  });
});

test('text: each item’s field is stored as a file, regardless of its type', async () => {
  const files = await convert([{ a: { b: 'hä' } }, { a: { b: [1] } }, { a: { b: null } }, { a: { b: 0 } }], {
    operation: 'toText',
    sourceProperty: 'a.b',
    options: { encoding: 'latin1' },
  });
  expect(files.map(({ bytes }) => bytes.toString('latin1'))).toEqual(['hä', '[1]', 'null', '0']);
  expect(files[0]).toMatchObject({ json: {}, fileName: 'file.txt', mimeType: 'text/plain', pairedItem: { item: 0 } });
});

describe('base64 to a file', () => {
  const parameters = { operation: 'toBinary', sourceProperty: 'b', options: { fileName: 'a.png', mimeType: 'image/png' } };

  test.each([1, 1.1])('version %d decodes it, even from a data URL', async (typeVersion) => {
    const items = [{ b: 'aGk=' }, { b: 'data:image/png;base64,aGk=' }];
    expect(await convert(items, parameters, { typeVersion })).toMatchObject([
      { text: 'hi', fileName: 'a.png', mimeType: 'image/png' },
      { text: 'hi' },
    ]);
  });

  test.each([
    ['%PDF-1.4 x', {}, { fileName: 'file', mimeType: 'application/pdf' }],
    ['hello', {}, { fileName: 'file', mimeType: 'text/plain' }],
    ['hello', { fileName: 'x' }, { fileName: 'x', mimeType: 'text/plain' }],
    ['%PDF-1.4 x', { fileName: 'x.png' }, { fileName: 'x.png', mimeType: 'image/png' }],
    ['%PDF-1.4 x', { fileName: 'x.unknown' }, { fileName: 'x.unknown', mimeType: 'application/pdf' }],
    ['hello', { fileName: 'x.unknown' }, { fileName: 'x.unknown', mimeType: 'text/plain' }],
  ])('the type of %s with %j is determined by its name or content', async (content, options, expected) => {
    const converted = await convert([{ b: Buffer.from(content).toString('base64') }], { ...parameters, options });
    expect(converted).toMatchObject([expected]);
  });

  test('a file without a name gets its type’s extension', async () => {
    const unnamed = (mimeType: string) => convert([{ b: 'aGk=' }], { ...parameters, options: { mimeType } });
    expect(await unnamed('image/png')).toMatchObject([{ fileName: 'file.png', mimeType: 'image/png' }]);
    expect(await unnamed('')).toMatchObject([{ fileName: 'file', mimeType: 'text/plain' }]);
  });

  test('a guessed type adds no file extension', async () => {
    const [items] = await runNode(convertToFile, { json: [{ b: 'aGk=' }], parameters: { ...parameters, options: {} } });
    expect(items?.[0]?.binary?.['data']).not.toHaveProperty('fileExtension');
  });

  test.each<[JsonObject[string], JsonObject]>([
    [5, { text: '5', fileName: 'file', mimeType: 'text/plain' }],
    [false, { text: 'false', fileName: 'file', mimeType: 'text/plain' }],
    [[1, 'ä'], { text: '[1,"ä"]', fileName: 'file.json', mimeType: 'application/json' }],
    [null, { text: 'null', fileName: 'file.json', mimeType: 'application/json' }],
  ])('version 1 writes %j as text', async (b, expected) => {
    const asText = { ...parameters, options: { dataIsBase64: false } };
    expect(await convert([{ b }], asText, { typeVersion: 1 })).toMatchObject([expected]);
  });

  test('version 1 accepts text instead; version 1.1 does not', async () => {
    const asText = { ...parameters, options: { dataIsBase64: false } };
    expect(await convert([{ b: 'aGk=' }], asText, { typeVersion: 1 })).toMatchObject([{ text: 'aGk=' }]);
    expect(await convert([{ b: 'aGk=' }], asText, { typeVersion: 1.1 })).toMatchObject([{ text: 'hi' }]);
  });

  test.each([['not in base64!'], [5], [null], [['a']]])('%j is an error', async (b) => {
    await expect(convert([{ b }], parameters)).rejects.toMatchObject({
      message: expect.stringContaining('the field "b" must contain'),
      itemIndex: 0,
    });
  });
});

test('iCalendar: each item’s event is in a separate file', async () => {
  const parameters = { operation: 'iCal', title: 'Review', start: '2024-05-02T10:00:00Z', end: '2024-05-02T11:00:00Z' };
  const files = await convert([{}, {}], parameters);
  expect(files).toHaveLength(2);
  expect(files[0]).toMatchObject({ json: {}, fileName: 'event.ics', mimeType: 'text/calendar', pairedItem: { item: 0 } });
  expect(files[0]?.text).toContain('DTSTART:20240502T100000Z\r\n');
  expect(files[0]?.text).toContain('METHOD:PUBLISH\r\n');
  expect(files[0]?.text).toContain('X-PUBLISHED-TTL:PT1H\r\n');
  expect(files[0]?.text).not.toContain('STATUS');
});

test('a failed item has an error if the node continues', async () => {
  const parameters = { operation: 'toText', sourceProperty: 'a' };
  const [items] = await runNode(convertToFile, { json: [{ b: 1 }, { a: 1 }], parameters, continueOnFail: true });
  expect(items).toMatchObject([
    { json: { error: 'the field "a" must contain a value, but is nothing' }, pairedItem: { item: 0 } },
    { json: {}, binary: { data: {} } },
  ]);
  const unknown = { operation: 'toJson', options: { encoding: 'klingon' } };
  expect(await runNode(convertToFile, { parameters: unknown, continueOnFail: true })).toMatchObject([
    [{ json: { error: expect.stringContaining('klingon') } }],
  ]);
});

test('no file is created without items', async () => {
  expect(await runNode(convertToFile, { inputs: [[]], parameters: { operation: 'csv' } })).toEqual([[]]);
});
