import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { BinaryReference, JsonObject } from '@sluice/node-sdk';
import { type FakeRun, runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { zipOf } from '../../testing/zip-of.ts';
import { compression } from './compression.ts';

type Content = { bytes: Uint8Array | string; fileName: string };

/** The files that the node returns for one item with files, with their bytes. */
async function run(files: Record<string, Content>, parameters: JsonObject, more: Partial<FakeRun> = {}) {
  const binary = memoryBinary();
  const references: Record<string, BinaryReference> = {};
  for (const [property, { bytes, fileName }] of Object.entries(files))
    references[property] = await binary.store(Buffer.from(bytes), { fileName });
  const [[item] = []] = (await runNode(compression, {
    ...more,
    binary,
    inputs: [[{ json: { id: 1 }, binary: references }]],
    parameters,
  })) as [{ json: JsonObject; binary?: Record<string, BinaryReference>; pairedItem: unknown }[]];
  const entries = Object.entries(item?.binary ?? {}).map(
    async ([property, file]) => [property, { fileName: file.fileName, bytes: Buffer.from(await binary.read(file)) }] as const,
  );
  return { json: item?.json, pairedItem: item?.pairedItem, files: Object.fromEntries(await Promise.all(entries)) };
}

const texts = ({ files }: Awaited<ReturnType<typeof run>>) =>
  Object.entries(files).map(([property, { fileName, bytes }]) => [property, fileName, bytes.toString()]);

const two = { a: { bytes: 'one', fileName: 'dir/n.txt' }, b: { bytes: 'two', fileName: 'n.txt' } };
const part = (name: string, text = 'x') => ({ name, deflated: deflateRawSync(text), size: Buffer.byteLength(text) });

describe.each([1, 1.1])('version %d', (typeVersion) => {
  test('zip: an item’s files are in one archive, under unique names; its fields are kept', async () => {
    const parameters = {
      operation: 'compress',
      outputFormat: 'zip',
      fileName: 'x.zip',
      binaryPropertyName: 'a, b',
      binaryPropertyOutput: 'z',
    };
    const packed = await run(two, parameters, { typeVersion });
    expect(packed).toMatchObject({ json: { id: 1 }, pairedItem: { item: 0 }, files: { z: { fileName: 'x.zip' } } });
    const unpacked = await run({ data: { bytes: packed.files['z']?.bytes ?? '', fileName: 'x.zip' } }, {}, { typeVersion });
    expect(texts(unpacked)).toEqual([
      ['file_0', 'n.txt', 'one'],
      ['file_1', 'n (2).txt', 'two'],
    ]);
  });

  test('unpacks zip and gzip files, detected by their content, several at once', async () => {
    const files = {
      a: { bytes: zipOf([part('d/'), part('d/e.txt', 'E')]), fileName: 'upload' },
      b: { bytes: gzipSync('G'), fileName: 'g.txt.gz' },
    };
    const unpacked = await run(
      files,
      { operation: 'decompress', binaryPropertyName: 'a,b', outputPrefix: 'o' },
      { typeVersion },
    );
    expect(texts(unpacked)).toEqual([
      ['o0', 'e.txt', 'E'],
      ['o1', 'g.txt', 'G'],
    ]);
  });
});

describe('gzip', () => {
  const parameters = { operation: 'compress', outputFormat: 'gzip' };

  test('version 1 creates one numbered file per input file', async () => {
    const { files } = await run(two, { ...parameters, binaryPropertyName: 'a,b', outputPrefix: 'p' }, { typeVersion: 1 });
    expect(Object.entries(files).map(([name, { fileName, bytes }]) => [name, fileName, gunzipSync(bytes).toString()])).toEqual([
      ['p0', 'n.gzip', 'one'],
      ['p1', 'n.gzip', 'two'],
    ]);
  });

  test('version 1.1 numbers files from the second one on', async () => {
    const { files } = await run(two, { ...parameters, binaryPropertyName: 'a', binaryPropertyOutput: 'o', fileName: 'x.gz' });
    expect(files['o']?.fileName).toBe('x.gz');
    const both = await run(two, { ...parameters, binaryPropertyName: 'a,b' });
    expect(Object.entries(both.files).map(([name, { fileName }]) => [name, fileName])).toEqual([
      ['data', 'n.txt.gz'],
      ['data1', 'n.txt.gz'],
    ]);
  });
});

test('a format must be chosen in version 1; version 1.1 defaults to zip', async () => {
  const files = { data: two.a };
  await expect(run(files, { operation: 'compress' }, { typeVersion: 1 })).rejects.toThrow('"outputFormat" is required');
  expect((await run(files, { operation: 'compress' })).files['data']?.fileName).toBe('archive.zip');
});

test('paths in an archive are reduced to file names', async () => {
  const names = ['../../etc/passwd', '/abs/x', 'C:\\w\\y', '..', '__proto__'];
  const { files } = await run({ data: { bytes: zipOf(names.map((name) => part(name))), fileName: 'a.zip' } }, {});
  expect(Object.values(files).map(({ fileName }) => fileName)).toEqual(['passwd', 'x', 'y', '..', '__proto__']);
});

describe('invalid input is reported', () => {
  const bomb = deflateRawSync(Buffer.alloc(40_000_000));

  test.each<[string, Buffer | string, string]>([
    ['no archive', 'plain', 'neither a zip archive nor a gzip file'],
    ['a truncated zip archive', zipOf([part('a')]).subarray(0, 30), 'the archive cannot be read'],
    ['a truncated gzip file', gzipSync('hello').subarray(0, 15), 'the archive cannot be read'],
    ['an encrypted archive', zipOf([{ ...part('a'), encrypted: true }]), 'it is encrypted'],
    ['a false size', zipOf([{ name: 'a', deflated: bomb, size: 10 }]), 'the archive cannot be read'],
    ['too many files', zipOf(Array.from({ length: 1_001 }, (_, n) => part(String(n)))), 'more than 1000 files'],
    [
      'a bomb',
      zipOf(Array.from({ length: 14 }, (_, n) => ({ name: String(n), deflated: bomb, size: 40_000_000 }))),
      'expands to more than 536870912 bytes',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(run({ data: { bytes, fileName: 'a' } }, {})).rejects.toMatchObject({
      message: expect.stringContaining(message),
      itemIndex: 0,
    });
  });

  test.each(['zip', 'gzip'])('a file that is gone from the store, for %s', async (outputFormat) => {
    const data = { id: 'gone', fileName: 'a', mimeType: 'text/plain' };
    const parameters = { operation: 'compress', outputFormat };
    await expect(runNode(compression, { inputs: [[{ json: {}, binary: { data } }]], parameters })).rejects.toMatchObject({
      code: 'BINARY_NOT_FOUND',
      itemIndex: 0,
    });
  });

  test('a failed item has an error if the node continues', async () => {
    expect(await run({}, {}, { continueOnFail: true })).toMatchObject({ json: { error: 'item 0 has no file in "data"' } });
    expect(await run({}, { operation: 'compress' }, { continueOnFail: true })).toMatchObject({
      json: { error: 'item 0 has no file in "data"' },
    });
  });
});
