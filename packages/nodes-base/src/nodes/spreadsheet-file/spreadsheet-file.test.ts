import { read, utils } from '@e965/xlsx';
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { sampleSheet } from '../../testing/sample-sheet.ts';
import { spreadsheetFile } from './spreadsheet-file.ts';

async function rows(content: string | Buffer, fileName: string, parameters: JsonObject, run: Partial<FakeRun> = {}) {
  const binary = memoryBinary();
  const data = await binary.store(Buffer.from(content), { fileName });
  return (await runNode(spreadsheetFile, { ...run, binary, inputs: [[{ json: { id: 1 }, binary: { data } }]], parameters }))[0];
}

test('version 1 reads CSV as a workbook, with numbers; version 2 as strings', async () => {
  const csv = 'a,b\n1,x\n';
  expect(await rows(csv, 'a.csv', {}, { typeVersion: 1 })).toEqual([{ json: { a: 1, b: 'x' }, pairedItem: { item: 0 } }]);
  expect(await rows(csv, 'a.csv', { options: { rawData: true } }, { typeVersion: 1 })).toMatchObject([
    { json: { a: '1', b: 'x' } },
  ]);
  expect(await rows(csv, 'a.csv', { options: { readAsString: true } }, { typeVersion: 1 })).toMatchObject([
    { json: { a: 1, b: 'x' } },
  ]);
  expect(await rows(csv, 'a.csv', {}, { typeVersion: 2 })).toEqual([{ json: { a: '1', b: 'x' }, pairedItem: { item: 0 } }]);
  expect(await rows(csv, 'upload', { fileFormat: 'csv' }, { typeVersion: 2 })).toMatchObject([{ json: { a: '1' } }]);
});

test('the CSV options apply if the format is CSV, not if it is detected', async () => {
  const csv = 'a;b\n1;2\n3;4\n';
  const options = { delimiter: ';', maxRowCount: 1 };
  expect(await rows(csv, 'a.csv', { fileFormat: 'csv', options }, { typeVersion: 2 })).toMatchObject([
    { json: { a: '1', b: '2' } },
  ]);
  expect(await rows(csv, 'a.csv', { options }, { typeVersion: 2 })).toMatchObject([
    { json: { 'a;b': '1;2' } },
    { json: { 'a;b': '3;4' } },
  ]);
});

test('non-ASCII letters are read correctly, with and without a byte order mark', async () => {
  expect(await rows('grün\n日本\n', 'a.csv', {}, { typeVersion: 1 })).toMatchObject([{ json: { grün: '日本' } }]);
  expect(await rows('\uFEFFgrün\n日本\n', 'a.csv', {}, { typeVersion: 1 })).toMatchObject([{ json: { grün: '日本' } }]);
  expect(await rows('<table><tr><td>grün</td></tr><tr><td>日本</td></tr></table>', 'a.html', {})).toMatchObject([
    { json: { grün: '日本' } },
  ]);
});

test('letters are read as Latin 1 if the file has no other encoding', async () => {
  expect(await rows(Buffer.from('grün\nä\n', 'latin1'), 'a.txt', {})).toMatchObject([{ json: { grün: 'ä' } }]);
});

test('an explicit format is used', async () => {
  await expect(rows('a,b\n1,2', 'a.xlsx', { fileFormat: 'xlsx' }, { typeVersion: 2 })).rejects.toThrow('is not a workbook');
});

describe.each([1, 2])('version %d', (typeVersion) => {
  test('bytes in an unknown format are an error', async () => {
    const png = Buffer.from('89504e470d0a1a0a00000001', 'hex');
    await expect(rows(png, 'a.xlsx', {}, { typeVersion })).rejects.toMatchObject({
      message: 'the file is not a spreadsheet: it is neither a known format nor text',
      itemIndex: 0,
    });
  });

  test.each(['xlsx', 'xls', 'ods', 'html', 'rtf'] as const)('reads %s', async (format) => {
    const file = sampleSheet({ S: [['a'], [1], [2]] }, format);
    expect(await rows(file, `a.${format}`, {}, { typeVersion })).toMatchObject([{ json: { a: 1 } }, { json: { a: 2 } }]);
  });

  test('writes all items to one file, in xls format by default', async () => {
    const binary = memoryBinary();
    const [items] = await runNode(spreadsheetFile, {
      typeVersion,
      binary,
      json: [{ a: 1 }, { a: 2 }],
      parameters: { operation: 'toFile' },
    });
    expect(items).toMatchObject([
      { json: {}, binary: { data: { fileName: 'spreadsheet.xls' } }, pairedItem: [{ item: 0 }, { item: 1 }] },
    ]);
    const file = items?.[0]?.binary?.['data'];
    const workbook = read(file ? await binary.read(file) : undefined, { type: 'array' });
    expect(utils.sheet_to_json(workbook.Sheets['Sheet'] ?? {})).toEqual([{ a: 1 }, { a: 2 }]);
  });

  test('a failed item has an error if the node continues', async () => {
    const run = { typeVersion, continueOnFail: true };
    expect(await rows('x', 'a.xlsx', { binaryPropertyName: 'none' }, run)).toMatchObject([
      { json: { error: 'item 0 has no file in "none"' } },
    ]);
    expect(await rows('x', 'a', { operation: 'toFile', fileFormat: 'docx' }, run)).toMatchObject([
      { json: { error: expect.stringContaining('one of') } },
    ]);
  });
});
