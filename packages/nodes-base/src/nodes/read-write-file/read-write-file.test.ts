import { describe, expect, test } from '@jest/globals';
import type { BinaryAccess, Item, JsonObject, NodeType } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { memoryFiles } from '../../testing/memory-files.ts';
import { readBinaryFile } from '../read-binary-file/read-binary-file.ts';
import { readBinaryFiles } from '../read-binary-files/read-binary-files.ts';
import { writeBinaryFile } from '../write-binary-file/write-binary-file.ts';
import { readWriteFile } from './read-write-file.ts';

const folder = () =>
  new Map([
    ['/files/a.txt', 'one'],
    ['/files/b.txt', 'two'],
    ['/files/[c].txt', 'three'],
    ['/files/c.txt', 'four'],
  ]);

/** A node's items, and the text of their files. */
async function run(type: NodeType, parameters: JsonObject, more: Partial<FakeRun> = {}, binary: BinaryAccess = memoryBinary()) {
  const items = (await runNode(type, { files: memoryFiles(folder()), binary, parameters, ...more }))[0] ?? [];
  const texts = items
    .flatMap((item) => Object.entries(item.binary ?? {}))
    .map(async ([name, file]) => [name, Buffer.from(await binary.read(file)).toString()]);
  return { items, texts: await Promise.all(texts) };
}

describe.each([1, 1.1])('read/write files, version %d', (typeVersion) => {
  test('reads each file into an item with its metadata', async () => {
    const { items, texts } = await run(
      readWriteFile,
      { fileSelector: '/files/{a,b}.txt', options: { mimeType: 'text/plain' } },
      { typeVersion },
    );
    expect(items).toMatchObject([
      {
        json: { fileName: 'a.txt', fileExtension: 'txt', mimeType: 'text/plain', fileType: 'text', fileSize: '3 B' },
        binary: { data: { fileName: 'a.txt', directory: '/files' } },
        pairedItem: { item: 0 },
      },
      { json: { fileName: 'b.txt' }, pairedItem: { item: 0 } },
    ]);
    expect(texts).toEqual([
      ['data', 'one'],
      ['data', 'two'],
    ]);
  });

  test('the options set the file’s name and field', async () => {
    const options = { fileName: 'report', fileExtension: 'pdf', mimeType: 'application/pdf', dataPropertyName: 'doc' };
    const { items } = await run(readWriteFile, { fileSelector: '/files/a.txt', options }, { typeVersion });
    expect(items).toMatchObject([
      {
        json: { fileName: 'report', fileExtension: 'pdf', mimeType: 'application/pdf', fileType: 'text' },
        binary: { doc: { fileName: 'report', fileExtension: 'pdf', mimeType: 'application/pdf' } },
      },
    ]);
  });

  test('writes an item’s file, and returns the item with the path', async () => {
    const contents = folder();
    const binary = memoryBinary();
    const data = await binary.store(Buffer.from('new'), { fileName: 'x' });
    const options = { files: memoryFiles(contents), inputs: [[{ json: { id: 1 }, binary: { data } }]], typeVersion };
    const write = { operation: 'write', fileName: '/files/a.txt' };
    const { items } = await run(readWriteFile, write, options, binary);
    expect(items).toEqual([{ json: { id: 1, fileName: '/files/a.txt' }, binary: { data }, pairedItem: { item: 0 } }]);
    await run(readWriteFile, { ...write, options: { append: true } }, options, binary);
    expect(contents.get('/files/a.txt')).toBe('newnew');
  });
});

test.each([1, 1.1])('version %d: brackets in a selector are literal, unless the option is off', async (typeVersion) => {
  const names = async (fileSelector: string, options: JsonObject = {}) =>
    (await run(readWriteFile, { fileSelector, options }, { typeVersion })).texts.map(([, text]) => text);
  expect(await names('/files/[c].txt')).toEqual(['three']);
  expect(await names('/files/\\[c\\].txt')).toEqual(['three']);
  expect(await names('/files/[c].txt', { literalBrackets: true })).toEqual(['three']);
  expect(await names('/files/[c].txt', { literalBrackets: false })).toEqual(['four']);
});

test.each(['/files/*.pdf', '/files/none'])(
  'without a match for %s, version 1 returns nothing, and 1.1 fails',
  async (fileSelector) => {
    expect((await run(readWriteFile, { fileSelector }, { typeVersion: 1 })).items).toEqual([]);
    expect((await run(readBinaryFiles, { fileSelector })).items).toEqual([]);
    await expect(run(readWriteFile, { fileSelector }, { typeVersion: 1.1 })).rejects.toMatchObject({
      code: 'FILE_NOT_FOUND',
      itemIndex: 0,
    });
  },
);

test('a path outside the folders is an error', async () => {
  await expect(run(readWriteFile, { fileSelector: '/etc/passwd' })).rejects.toMatchObject({
    code: 'FILE_NOT_ALLOWED',
    description: expect.stringContaining('FILES_DIR'),
    itemIndex: 0,
  });
});

test.each([
  ['x.unknown', '%PDF-1.4 x', 'application/pdf', 'pdf'],
  ['x.unknown', 'plain', 'text/plain', 'text'],
  ['x.png', '%PDF-1.4 x', 'image/png', 'image'],
  ['x.zip', 'plain', 'application/zip', undefined],
])('the type of %s with %j is determined by its name or content', async (name, content, mimeType, fileType) => {
  const files = memoryFiles(new Map([[`/files/${name}`, content]]));
  const { items } = await run(readWriteFile, { fileSelector: `/files/${name}` }, { files });
  expect(items).toMatchObject([{ json: { mimeType }, binary: { data: { mimeType } } }]);
  expect(items[0]?.json['fileType']).toBe(fileType);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_024, '1.02 kB'],
  [12_345, '12.3 kB'],
  [1_048_576, '1.05 MB'],
])('%d bytes are %s', async (length, fileSize) => {
  const files = memoryFiles(new Map([['/files/x.txt', 'x'.repeat(length)]]));
  expect((await run(readWriteFile, { fileSelector: '/files/x.txt' }, { files })).items).toMatchObject([{ json: { fileSize } }]);
});

test.each<[NodeType, JsonObject]>([
  [readWriteFile, { fileSelector: '/files/a.txt' }],
  [readBinaryFile, { filePath: '/files/a.txt' }],
  [readBinaryFiles, { fileSelector: '/files/a.txt' }],
  [writeBinaryFile, { fileName: '/files/a.txt' }],
])('if the operator allows no folder, the error contains the setting: %#', async (type, parameters) => {
  await expect(runNode(type, { parameters })).rejects.toMatchObject({
    code: 'FILE_NOT_ALLOWED',
    itemIndex: 0,
    description: expect.stringContaining('FILES_DIR'),
  });
});

test('read binary file adds a file to each item’s files', async () => {
  const binary = memoryBinary();
  const other = await binary.store(Buffer.from('o'), {});
  const inputs: Item[][] = [[{ json: { n: 1 }, binary: { other } }, { json: { n: 2 } }]];
  const parameters = (itemIndex: number) => ({
    filePath: ['/files/a.txt', '/files/none'][itemIndex] ?? '',
    dataPropertyName: 'doc',
  });
  const [items] = await runNode(readBinaryFile, {
    files: memoryFiles(folder()),
    binary,
    inputs,
    parameters,
    continueOnFail: true,
  });
  expect(items).toMatchObject([
    { json: { n: 1 }, binary: { other, doc: { fileName: 'a.txt', directory: '/files' } }, pairedItem: { item: 0 } },
    { json: { error: expect.stringContaining('/files/none') }, pairedItem: { item: 1 } },
  ]);
});

test('read binary files returns an item for each file, once for all items', async () => {
  const json = [{}, {}];
  const { items, texts } = await run(readBinaryFiles, { fileSelector: '/files/[ab].txt', dataPropertyName: 'doc' }, { json });
  expect(items).toMatchObject([{ json: {}, pairedItem: [{ item: 0 }, { item: 1 }] }, { json: {} }]);
  expect(texts).toEqual([
    ['doc', 'one'],
    ['doc', 'two'],
  ]);
});

test('write binary file writes the file, and the error for a missing file contains the item', async () => {
  const contents = folder();
  const binary = memoryBinary();
  const doc = await binary.store(Buffer.from('new'), {});
  const options = { files: memoryFiles(contents), inputs: [[{ json: {}, binary: { doc } }]] };
  const parameters = { fileName: '/files/new.txt', dataPropertyName: 'doc' };
  expect((await run(writeBinaryFile, parameters, options, binary)).items).toMatchObject([
    { json: { fileName: '/files/new.txt' }, binary: { doc } },
  ]);
  expect(contents.get('/files/new.txt')).toBe('new');
  await expect(run(writeBinaryFile, { fileName: '/files/x' }, options, binary)).rejects.toThrow('item 0 has no file in "data"');
});
