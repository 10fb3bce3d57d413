import { describe, expect, test } from '@jest/globals';
import type { Item, JsonObject } from '@sluice/node-sdk';
import { runNode } from '../../testing/fake-context.ts';
import { memoryBinary } from '../../testing/memory-binary.ts';
import { moveBinaryData } from './move-binary-data.ts';

const both = [1, 1.1];

describe.each(both)('version %d: binary to JSON', (typeVersion) => {
  async function toJson(text: string | Buffer, parameters: JsonObject, continueOnFail = false): Promise<Item[]> {
    const binary = memoryBinary();
    const files = { data: await binary.store(Buffer.from(text), {}), other: await binary.store(Buffer.from('o'), {}) };
    const inputs = [[{ json: { id: 1 }, binary: files }]];
    return (await runNode(moveBinaryData, { typeVersion, binary, inputs, parameters, continueOnFail }))[0] ?? [];
  }

  test('the file’s JSON replaces the fields; other files are kept', async () => {
    const [item] = await toJson('\uFEFF{"a":1}', {});
    expect(item).toMatchObject({ json: { a: 1 }, pairedItem: { item: 0 } });
    expect(Object.keys(item?.binary ?? {})).toEqual(['other']);
    const [outputItem] = await toJson('{"a":1}', { options: { keepSource: true } });
    expect(Object.keys(outputItem?.binary ?? {})).toEqual(['data', 'other']);
  });

  test('a list becomes the JSON unchanged', async () => {
    expect((await toJson('[1,{"a":2}]', {}))[0]?.json).toEqual([1, { a: 2 }]);
  });

  test.each<[JsonObject, JsonObject]>([
    [{}, { id: 1, data: '[1]' }],
    [{ destinationKey: 'x.y' }, { id: 1, x: { y: '[1]' } }],
    [{ options: { jsonParse: true } }, { id: 1, data: [1] }],
    [{ options: { keepAsBase64: true } }, { id: 1, data: 'WzFd' }],
    [{ options: { encoding: 'hex' } }, { id: 1, data: '5b315d' }],
  ])('a file’s content may be stored in one field: %j', async (parameters, json) => {
    expect((await toJson('[1]', { setAllData: false, ...parameters }))[0]?.json).toEqual(json);
  });

  test('an item without the file is dropped; a file that is neither an object nor a list is an error', async () => {
    expect(await toJson('{}', { sourceKey: 'none' })).toEqual([]);
    await expect(toJson('5', {})).rejects.toThrow('must contain a JSON object or a list, but contains');
    expect(await toJson('{', {}, true)).toMatchObject([{ json: { error: expect.stringContaining('not valid JSON') } }]);
  });
});

describe.each(both)('version %d: JSON to binary', (typeVersion) => {
  async function toBinary(json: JsonObject, parameters: JsonObject) {
    const binary = memoryBinary();
    const inputs = [[{ json, binary: { other: await binary.store(Buffer.from('o'), {}) } }]];
    const [[item] = []] = (await runNode(moveBinaryData, {
      typeVersion,
      binary,
      inputs,
      parameters: { mode: 'jsonToBinary', ...parameters },
    })) as [Item[]];
    const files = Object.entries(item?.binary ?? {}).map(async ([name, file]) => [
      name,
      Buffer.from(await binary.read(file)).toString(),
    ]);
    return {
      json: item?.json,
      pairedItem: item?.pairedItem,
      reference: item?.binary?.['data'],
      files: Object.fromEntries(await Promise.all(files)),
    };
  }

  test('all fields become a file, alongside the others', async () => {
    expect(await toBinary({ a: 1 }, {})).toMatchObject({
      json: {},
      pairedItem: { item: 0 },
      files: { other: 'o', data: '{"a":1}' },
      reference: { mimeType: 'application/json' },
    });
    expect((await toBinary({ a: 1 }, { options: { keepSource: true } })).json).toEqual({ a: 1 });
  });

  test.each<[JsonObject, string]>([
    [{}, '"aGk="'],
    [{ useRawData: true }, 'aGk='],
    [{ dataIsBase64: true }, 'hi'],
    [{ useRawData: true, addBOM: true }, '\uFEFFaGk='],
  ])('one field with %j', async (options, text) => {
    const moved = await toBinary({ a: 'aGk=', b: 2 }, { convertAllData: false, sourceKey: 'a', options });
    expect(moved).toMatchObject({ json: { b: 2 }, files: { data: text } });
  });

  test.each<[string, JsonObject, string]>([
    ['aGk=', { useRawData: true }, 'text/plain'],
    [Buffer.from('%PDF-1.4 x').toString('base64'), { dataIsBase64: true }, 'application/pdf'],
    ['a,b', { useRawData: true, fileName: 'x.csv' }, 'text/csv'],
    ['hi', {}, 'application/json'],
  ])('the type of %s with %j is determined by its name or content', async (a, options, mimeType) => {
    const { reference } = await toBinary({ a }, { convertAllData: false, sourceKey: 'a', options });
    expect(reference).toMatchObject({ mimeType });
  });

  test('the options set name and type; an item without the field is dropped', async () => {
    const options = { fileName: 'x.svg', mimeType: 'image/svg+xml', useRawData: true };
    const moved = await toBinary({ a: '<svg/>' }, { convertAllData: false, sourceKey: 'a', destinationKey: 'data', options });
    expect(moved.reference).toMatchObject({ fileName: 'x.svg', mimeType: 'image/svg+xml' });
    expect((await toBinary({}, { convertAllData: false, sourceKey: 'a' })).json).toBeUndefined();
  });
});
