import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { fakeContext } from '../testing/fake-context.ts';
import { binaryHelpers, toCommunityBinary } from './binary-helpers.ts';

function helpers() {
  const context = fakeContext();
  const store = async (_: unknown, file: object) => ({ id: 'new', mimeType: 'text/plain', fileSize: 5, ...file });
  const binary = { ...context.binary, store, open: async () => Readable.from([Buffer.from('abc'), Buffer.from('d')]) };
  const file = { id: 'old', mimeType: 'image/png', fileName: 'a.png', fileSize: 7, data: '' };
  return binaryHelpers({
    node: context.node,
    binary,
    openFile: () => Promise.reject(new Error('no file')),
    items: () => [{ json: {}, binary: { file } }],
  });
}

describe('getBinaryMetadata', () => {
  test('finds files of items and files that the node created', async () => {
    const { prepareBinaryData, getBinaryMetadata } = helpers();
    expect(await getBinaryMetadata('old')).toEqual({ fileName: 'a.png', mimeType: 'image/png', fileSize: 7 });
    const { id = '' } = await prepareBinaryData(Buffer.from('hello'), 'b.txt');
    expect(await getBinaryMetadata(id)).toEqual({ fileName: 'b.txt', mimeType: 'text/plain', fileSize: 5 });
  });

  test('counts the bytes of other files', async () => {
    expect(await helpers().getBinaryMetadata('elsewhere')).toEqual({ fileSize: 4 });
  });
});

test.each([
  ['image/png', 'image'],
  ['TEXT/HTML; charset=utf-8', 'html'],
  ['text/csv', 'text'],
  ['application/json', 'json'],
  ['application/zip', undefined],
  ['textual', undefined],
])('a file of %s has the type %s', (mimeType, fileType) => {
  expect(toCommunityBinary({ id: '1', mimeType }).fileType).toBe(fileType);
});
