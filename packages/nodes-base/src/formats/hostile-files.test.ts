import { deflateRawSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { eventually, longestBusy } from '@sluice/test-support';
import { extractFromFile } from '../nodes/extract-from-file/extract-from-file.ts';
import { runNode } from '../testing/fake-context.ts';
import { memoryBinary } from '../testing/memory-binary.ts';
import { zipOf } from '../testing/zip-of.ts';
import { ThreadError } from '../threads/work-threads.ts';
import { runFormat } from './run-format.ts';
import type { FormatTasks, TaskName } from './tasks.ts';

const mebibyte = 1024 * 1024;

async function run(type: NodeType, content: Uint8Array, parameters: JsonObject): Promise<Item[]> {
  const binary = memoryBinary();
  const data = await binary.store(content, { fileName: 'file' });
  return (await runNode(type, { inputs: [[{ json: {}, binary: { data } }]], binary, parameters }))[0] ?? [];
}

const file = (name: string, text: string) => ({ name, deflated: deflateRawSync(text), size: Buffer.byteLength(text) });

const sheet = { headerRow: true, includeEmptyCells: false, rawData: false };
const csv = {
  delimiter: ',',
  headerRow: true,
  includeEmptyCells: false,
  stripBom: false,
  relaxQuotes: true,
  fromLine: 1,
  maxRowCount: -1,
};

const context = { workflow: { id: 'w', projectId: 'p' }, signal: new AbortController().signal };
const runWithin =
  (deadlineMs: number) =>
  <Name extends TaskName>(name: Name, input: FormatTasks[Name]['input']) =>
    runFormat(context, name, input, { deadlineMs });
type Run = ReturnType<typeof runWithin>;

describe('a hostile file of 16 MiB is rejected without blocking others', () => {
  const large = (piece: string) => piece.repeat(Math.ceil((16 * mebibyte) / piece.length));
  const bytes = (text: string) => Buffer.from(text);

  test.each<[string, (run: Run) => Promise<unknown>]>([
    ['CSV with many short rows', (run) => run('readCsv', { text: large('a,b\n'), options: csv })],
    ['CSV of quotes', (run) => run('readCsv', { text: large('"'), options: csv })],
    ['CSV of one row', (run) => run('readCsv', { text: large('a,'), options: csv })],
    [
      'a Word document with unclosed tags',
      (run) => run('readDocx', { archive: zipOf([file('word/document.xml', large('<w:p><w:t>'))]) }),
    ],
    ['HTML of open tags', (run) => run('readSheet', { content: bytes(large('<table><tr><td>')), options: sheet })],
    ['RTF of open groups', (run) => run('readSheet', { content: bytes(`{\\rtf1${large('{')}`), options: sheet })],
    ['a calendar with unclosed events', (run) => run('readCalendar', { text: large('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n') })],
    ['an email with many headers', (run) => run('readMail', { source: bytes(large('A: b\r\n')) })],
    [
      'a PDF of open objects',
      (run) =>
        run('readPdf', {
          bytes: bytes(`%PDF-1.7\n${large('1 0 obj << /A [ ')}`),
          password: '',
          maxPages: 0,
          joinPages: true,
        }),
    ],
  ])('%s', async (_, read) => {
    const run = runWithin(1_500);
    const reading = () => expect(read(run)).rejects.toThrow(ThreadError);
    expect(await longestBusy(reading)).toBeLessThan(1_400); // of the 1,500 that the reading may take; a busy machine adds some hundred
  });
});

test('a PDF of 26 KB whose page expands to 1.5 GiB is rejected before it exhausts the memory of the process', async () => {
  // Each pair of bytes stands for 128 spaces.
  const page = deflateSync(Buffer.alloc(24 * mebibyte, Buffer.from([0x81, 0x20])));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>',
    `<< /Length ${page.length} /Filter [/FlateDecode /RunLengthDecode] >>\nstream\n${page.toString('latin1')}\nendstream`,
  ];
  const text = `%PDF-1.7\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer << /Root 1 0 R >>\n%%EOF`;
  const bytes = Buffer.from(text, 'latin1');
  const before = process.memoryUsage.rss();
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const reading = runWithin(60_000)('readPdf', { bytes, password: '', maxPages: 0, joinPages: true });
  await expect(reading).rejects.toThrow('it needs more memory than a task may take');
  clearInterval(watch);
  expect(peak - before).toBeLessThan(1_400 * mebibyte);
});

describe('archives', () => {
  test('many that expand to 128 MiB at the same time are not all in memory', async () => {
    const bomb = zipOf([{ name: 'a', deflated: deflateRawSync(Buffer.alloc(127 * mebibyte)), size: 127 * mebibyte }]);
    const { arrayBuffers: before } = process.memoryUsage();
    const expanded: number[] = [];
    const watch = setInterval(() => expanded.push(process.memoryUsage().arrayBuffers - before), 50);
    const reading = Array.from({ length: 8 }, () => run(extractFromFile, bomb, { operation: 'xlsx' }).catch(String));
    const results = await Promise.all(reading);
    clearInterval(watch);
    expect(new Set(results)).toEqual(new Set([expect.stringContaining('the spreadsheet cannot be read')]));
    expect(Math.max(...expanded)).toBeLessThan(300 * mebibyte);
  });

  test('a workbook that expands to too much data is refused, regardless of its declared size', async () => {
    const bomb = deflateRawSync(Buffer.alloc(129 * mebibyte));
    const honest = zipOf([{ name: 'xl/workbook.xml', deflated: bomb, size: 129 * mebibyte }]);
    await expect(run(extractFromFile, honest, { operation: 'xlsx' })).rejects.toThrow(
      'it expands to more than 134217728 bytes',
    );
    const lying = zipOf([{ name: 'xl/workbook.xml', deflated: bomb, size: 10 }]);
    await expect(run(extractFromFile, lying, { operation: 'xlsx' })).rejects.toThrow('the archive cannot be read');
  });

  test('a workbook whose sheet claims to be huge costs at most a timeout or a bounded amount of memory', async () => {
    const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
    const cells = `<worksheet ${main}><dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`;
    const workbook = `<workbook ${main}><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`;
    const links =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';
    const types =
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>';
    const parts = {
      '[Content_Types].xml': types,
      'xl/workbook.xml': workbook,
      'xl/_rels/workbook.xml.rels': links,
      'xl/worksheets/sheet1.xml': cells,
    };
    const archive = zipOf(Object.entries(parts).map(([path, text]) => file(path, text)));
    const run = runWithin(2_000);
    const options = { headerRow: true, includeEmptyCells: true, rawData: false };
    await expect(run('readSheet', { content: archive, options })).rejects.toThrow(/takes more than 2000 ms|more memory/);
    // The next file gets a new thread, which must start within the same time: several tries,
    // because the machine may be busy.
    expect(await eventually(() => run('readSheet', { content: 'a\n1', options }))).toEqual([[{ a: 1 }]]);
  });
});
