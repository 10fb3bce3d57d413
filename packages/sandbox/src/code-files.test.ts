import { afterAll, describe, expect, test } from '@jest/globals';
import { AppError, type BinaryReference, type Item } from '@sluice/domain';
import { makeScope, never } from '../tests/scope-fixture.ts';
import { type CodeRunRequest, createSandbox } from './index.ts';

const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
/** Short limits for reads that never finish. */
const hasty = createSandbox({ timeoutMs: 500, memoryMb: 64, threads: 1 });
afterAll(() => Promise.all([sandbox.close(), hasty.close()]));

const file = (id: string): BinaryReference => ({
  id,
  mimeType: 'text/plain',
  fileName: `${id}.txt`,
  directory: '/in',
});
const items: Item[] = [
  { json: { n: 1 }, binary: { data: file('hello'), empty: file('') } },
  { json: { n: 2 }, binary: { data: file('world') } },
  { json: { n: 3 } },
];
const scope = makeScope({ items });
/** The content of each file is its id. */
const readFile = async ({ id }: BinaryReference) => Buffer.from(id);

type Run = Partial<CodeRunRequest> & { by?: typeof sandbox; signal?: AbortSignal };

function run(source: string, { by = sandbox, signal = never, ...request }: Run = {}) {
  return by.runCode({ source, mode: 'allItems', scope, readFile, ...request }, signal);
}

const resultOf = async (source: string, more?: Run) => (await run(source, more)).items[0]?.json['r'];

describe('code that reads a file', () => {
  test.each<[string, unknown]>([
    ['(await this.helpers.getBinaryDataBuffer(0, "data")).toString()', 'hello'],
    ['(await helpers.getBinaryDataBuffer("1", "data")).toString("hex")', '776f726c64'],
    ['(await $helpers.getBinaryDataBuffer(0, items[1].binary.data)).toString()', 'world'],
    ['(await this.helpers.getBinaryDataBuffer(0, "empty")).length', 0],
    ['(await Promise.all([0, 1].map((i) => helpers.getBinaryDataBuffer(i, "data")))).join(" ")', 'hello world'],
    ['Buffer.isBuffer(await helpers.getBinaryDataBuffer(0, "data"))', true],
    ['(await helpers.getBinaryDataBuffer(0, await helpers.prepareBinaryData("made"))).toString()', 'made'],
    ['helpers.assertBinaryData(0, "data").fileName', 'hello.txt'],
    ['await getBinaryDataAsync(items[1])', { data: { ...file('world'), data: 'd29ybGQ=' } }],
    ['typeof (await getBinaryDataAsync(items[2]))', 'undefined'],
    ['await new Promise((done) => setTimeout(async () => done(await getBinaryDataAsync(items[2]) ?? 1), 1))', 1],
  ])('gets its bytes: %s', async (expression, expected) => {
    expect(await resultOf(`return { r: ${expression} }`)).toEqual(expected);
  });

  test.each([
    ['helpers.getBinaryDataBuffer(0, "other")', 'item 0 has no file "other"'],
    ['helpers.getBinaryDataBuffer(2, "data")', 'item 2 has no file "data"'],
    ['helpers.getBinaryDataBuffer(9, "data")', 'there is no such item'],
    ['helpers.getBinaryDataBuffer(0, { id: "secret" })', 'this is not a file that the code received'],
    ['helpers.getBinaryDataBuffer(0, {})', 'this is not a file that the code received'],
    ['helpers.assertBinaryData(0, "other")', 'item 0 has no file "other"'],
  ])('may only read files that it received: %s', async (expression, message) => {
    const source = `try { await ${expression}; return { r: "read" } } catch (error) { return { r: error.message } }`;
    expect(await resultOf(source)).toBe(message);
  });

  test.each(['BINARY_TOO_LARGE', 'BINARY_NOT_FOUND'] as const)(
    'can catch the error for unavailable content: %s',
    async (code) => {
      const refuse = async (_: BinaryReference, maxBytes: number) => {
        throw new AppError({ code, message: `no more than ${maxBytes} bytes` });
      };
      const source = 'return helpers.getBinaryDataBuffer(0, "data").catch(({ message }) => ({ r: message }))';
      expect(await resultOf(source, { readFile: refuse })).toBe('no more than 16777216 bytes');
    },
  );

  test('fails with any other error of the read, which it cannot catch', async () => {
    const fail = async () => {
      throw new Error('the store is down');
    };
    const source = 'try { await helpers.getBinaryDataBuffer(0, "data") } catch {} return { r: 1 }';
    await expect(run(source, { readFile: fail })).rejects.toThrow('the store is down');
    expect(await resultOf('return { r: 1 }')).toBe(1);
  });

  test('has no files if reading is not supported', async () => {
    const source = 'return helpers.getBinaryDataBuffer(0, "data").catch(({ message }) => ({ r: message }))';
    expect((await sandbox.runCode({ source, mode: 'allItems', scope }, never)).items[0]?.json).toEqual({
      r: 'this code cannot read files',
    });
  });

  const hanging = () => new Promise<Uint8Array>(() => {});

  test('stops at its deadline while a read hangs', async () => {
    const reading = run('return helpers.getBinaryDataBuffer(0, "data")', { by: hasty, readFile: hanging });
    await expect(reading).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
  });

  test('stops at its deadline while it reads endlessly', async () => {
    const reading = run('for (;;) await helpers.getBinaryDataBuffer(0, "data")', { by: hasty });
    await expect(reading).rejects.toMatchObject({ code: 'CODE_TIMEOUT' });
  });

  test('stops immediately when it is aborted during a read', async () => {
    const stop = new AbortController();
    const began = Promise.withResolvers<void>();
    const read = () => {
      began.resolve();
      return hanging();
    };
    const reading = run('return helpers.getBinaryDataBuffer(0, "data")', { readFile: read, signal: stop.signal });
    await began.promise;
    stop.abort(new Error('stopped'));
    await expect(reading).rejects.toThrow('stopped');
  });

  const large = async () => new Uint8Array(8 * 1024 * 1024).fill(1);

  test.each([
    ['', 'CODE_MEMORY'],
    ['globalThis.ArrayBuffer = function () {}; ', 'CODE_ERROR'],
  ])('does not exceed its memory limit: %s', async (before, code) => {
    const keeping = `${before}const all = []; for (;;) all.push(await helpers.getBinaryDataBuffer(0, "data"))`;
    await expect(run(keeping, { readFile: large })).rejects.toMatchObject({ code });
    const one =
      'let r = 0; for (let i = 0; i < 12; i += 1) r += (await helpers.getBinaryDataBuffer(0, "data"))[i]; return { r }';
    expect(await resultOf(one, { readFile: large })).toBe(12);
  });

  test('reads once for each item', async () => {
    const source = 'return { r: item.binary ? (await helpers.getBinaryDataBuffer($itemIndex, "data")).toString() : "" }';
    const { items: results } = await run(source, { mode: 'eachItem' });
    expect(results.map(({ json }) => json['r'])).toEqual(['hello', 'world', '']);
  });
});

describe('code of a Function Item', () => {
  const each = (source: string) => run(source, { mode: 'functionItem', scope: makeScope({ items: items.slice(1) }) });
  const asKept = { binary: { data: file('world') } };

  test("keeps its item's files", async () => {
    expect((await each('return { r: 1 }')).items).toEqual([
      { json: { r: 1 }, ...asKept, pairedItem: { item: 0 } },
      { json: { r: 1 }, pairedItem: { item: 1 } },
    ]);
  });

  test.each(['setBinaryData(undefined)', 'await setBinaryDataAsync()'])('drops them: %s', async (call) => {
    expect((await each(`${call}; return item`)).items.map(({ binary }) => binary)).toEqual([undefined, undefined]);
  });

  test.each(['setBinaryData', 'await setBinaryDataAsync'])('makes files: %s', async (call) => {
    const fileLiteral = '{ f: { data: "aGk=", fileName: "a.txt", mimeType: "text/plain" } }';
    const { items: changed, files } = await each(`${call}({ ...getBinaryData(), ...${fileLiteral} }); return item`);
    expect(changed.map(({ binary }) => binary)).toEqual([{ data: file('world') }, {}]);
    expect(files).toMatchObject([
      { key: 'f', content: Buffer.from('hi') },
      { key: 'f', content: Buffer.from('hi') },
    ]);
    expect(files?.[0]?.target).toBe(changed[0]?.binary);
  });

  test('changes and reads its files', async () => {
    const source =
      'const files = getBinaryData(); if (files) files.data.fileName = "b.txt"; return { r: files?.data.fileName ?? "" }';
    expect((await each(source)).items[0]).toMatchObject({ json: { r: 'b.txt' }, binary: { data: { fileName: 'b.txt' } } });
    const readSource = 'return { r: (await getBinaryDataAsync())?.data.data ?? "" }';
    expect((await each(readSource)).items.map(({ json }) => json['r'])).toEqual(['d29ybGQ=', '']);
  });
});

test.each([
  ['helpers.returnJsonArray([{ a: 1 }, { json: { b: 1 }, binary: {} }])', [{ json: { a: 1 } }, { json: { b: 1 }, binary: {} }]],
  ['helpers.returnJsonArray({ a: 1 })', [{ json: { a: 1 } }]],
  ['helpers.normalizeItems({ a: 1 })', [{ json: { a: 1 } }]],
  ['helpers.normalizeItems([{ json: { a: 1 } }])', [{ json: { a: 1 } }]],
  ['getNodeParameter("none", 0, "fallback")', 'fallback'],
  ['getNodeParameter("none", "fallback")', 'fallback'],
])('supports %s', async (expression, expected) => {
  expect(await resultOf(`return { r: ${expression} }`)).toEqual(expected);
});
