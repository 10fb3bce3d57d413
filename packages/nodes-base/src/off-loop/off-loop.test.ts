import { describe, expect, test } from '@jest/globals';
import {
  AppError,
  type ExecuteContext,
  type Item,
  isFailedItem,
  type JsonObject,
  NodeOperationError,
  type NodeType,
} from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { baseNodeTypes } from '../base-node-types.ts';
import { crypto } from '../nodes/crypto/crypto.ts';
import { type FakeRun, fakeContext, runNode } from '../testing/fake-context.ts';
import { memoryBinary } from '../testing/memory-binary.ts';
import { loaders } from './node-types.ts';
import { offLoop } from './off-loop.ts';

const type = (name: string) => baseNodeTypes.find(({ description }) => description.name === name) as NodeType;

/** More items than run on the event loop; the last item is the subject of the test. */
const many = (last: JsonObject): JsonObject[] => [...Array.from({ length: 8_000 }, (_, id) => ({ id, a: 'x' })), last];

describe('a node run on a thread', () => {
  test('returns the same result as on the event loop', async () => {
    const run: FakeRun = { json: many({ id: -1 }), parameters: { sortFieldsUi: { sortField: [{ fieldName: 'id' }] } } };
    const inline = await (await loaders['sort']?.())?.execute?.(fakeContext(run));
    expect(await runNode(type('sort'), run)).toEqual(inline);
  });

  test('fails with the same error, which contains its item', async () => {
    const parameters = { dataPropertyName: 'data' };
    const run: FakeRun = { json: many({}).reverse(), parameters };
    const failure: unknown = await runNode(type('xml'), run).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NodeOperationError);
    expect(failure).toMatchObject({
      message: expect.stringContaining('"data"'),
      itemIndex: 0,
      description: expect.any(String),
    });
  });

  test('fails with our own error if its result has more keys than an object may have', async () => {
    const attributes = Array.from({ length: 150_000 }, (_, i) => `k${i}=""`).join(' ');
    await expect(runNode(type('xml'), { json: [{ data: `<a ${attributes}/>` }] })).rejects.toMatchObject({
      code: 'NODE_OPERATION_ERROR',
      message: expect.stringContaining('more than 100000 keys'),
    });
  });

  test.each([
    ['operation', { operation: '={{ $json.operation }}' }],
    ['extractions', { operation: 'extractHtmlContent', extractionValues: '={{ $json.values }}' }],
  ])('does not block the event loop if an expression returns the %s of the HTML node', async (_, written) => {
    const values = Array.from({ length: 2 }, (__, i) => ({ key: `k${i}`, cssSelector: 'u ~ b ~ i' }));
    const parameters = { operation: 'extractHtmlContent', extractionValues: { values } };
    const data = '<b></b><i></i>'.repeat(400);
    const context = fakeContext({ json: [{ data }], parameters, typeVersion: 1.2 });
    const node = { ...context.node, parameters: { ...parameters, ...written } };
    await longestBusy(() => type('html').execute?.(context)); // loads the libraries
    expect(await longestBusy(() => type('html').execute?.({ ...context, node }))).toBeLessThan(250);
  });

  test('throws the same error object as a failed expression', async () => {
    const failed = new NodeOperationError('the expression fails', { itemIndex: 2 });
    const parameters = (itemIndex: number): JsonObject => {
      if (itemIndex === 2) throw failed;
      return { html: '<p>x</p>' };
    };
    const node = {
      name: 'N',
      type: 'base.markdown',
      position: [0, 0] as [number, number],
      parameters: { html: '={{ $json.a }}' },
    };
    const context = { ...fakeContext({ json: many({}), parameters }), node };
    await expect(type('markdown').execute?.(context)).rejects.toBe(failed);
  });

  test('null as a parameter is a value', async () => {
    const parameters = { operation: 'formatDate', date: null };
    const results = await runNode(type('date-time'), { json: many({}), parameters });
    expect(results[0]?.at(-1)?.json).toEqual({ formattedDate: null });
  });

  test('an error from its host keeps its code, its hint, and its item', async () => {
    const lost = new AppError({
      code: 'BINARY_NOT_FOUND',
      message: 'the file is gone',
      details: { id: 'f1' },
      cause: { close: () => undefined },
    });
    const binary = { ...memoryBinary(), read: () => Promise.reject(lost) };
    const page = await binary.store(Buffer.from('<h1>News</h1>'), { fileName: 'page.html' });
    const parameters = {
      operation: 'extractHtmlContent',
      sourceData: 'binary',
      dataPropertyName: 'page',
      extractionValues: { values: [{ key: 'title', cssSelector: 'h1' }] },
    };
    const run: FakeRun = { inputs: [[{ json: {}, binary: { page } }]], binary, parameters };
    await expect(runNode(type('html'), run)).rejects.toMatchObject({
      code: 'BINARY_NOT_FOUND',
      message: 'the file is gone',
      details: { id: 'f1' },
      itemIndex: 0,
      description: expect.stringContaining('run the workflow again'),
    });
  });

  test('marks the items that represent failures', async () => {
    const run: FakeRun = { json: many({ data: '<a>1</a>' }), continueOnFail: true };
    const [items = []] = (await runNode(type('xml'), run)) as Item[][];
    expect(items.length).toBe(8_001);
    expect(isFailedItem(items[0])).toBe(true);
    expect(items[0]).toEqual({ json: { error: expect.stringContaining('"data"') }, pairedItem: { item: 0 } });
    expect(isFailedItem(items[8_000])).toBe(false);
    expect(items[8_000]?.json).toEqual({ a: '1' });
  });

  test('reads files and credentials through its host', async () => {
    const binary = memoryBinary();
    const page = await binary.store(Buffer.from('<h1>News</h1>'), { fileName: 'page.html' });
    const parameters = {
      operation: 'extractHtmlContent',
      sourceData: 'binary',
      dataPropertyName: 'page',
      extractionValues: { values: [{ key: 'title', cssSelector: 'h1' }] },
    };
    const [titles] = await runNode(type('html'), { inputs: [[{ json: {}, binary: { page } }]], binary, parameters });
    expect(titles?.[0]?.json).toEqual({ title: 'News' });
    const run: FakeRun = {
      json: [{}],
      parameters: { action: 'encrypt', value: 'secret' },
      credentials: { crypto: { encryptionPassphrase: 'passphrase' } },
    };
    const [encrypted] = await runNode(type('crypto'), run);
    const value = encrypted?.[0]?.json['data'] ?? '';
    const [decrypted] = await runNode(crypto, { ...run, parameters: { action: 'decrypt', value } });
    expect(decrypted?.[0]?.json).toEqual({ data: 'secret' });
  });

  test('calls methods on the context itself, since they may depend on it', async () => {
    const parameters = { action: 'encrypt', value: 'secret' };
    const plain = fakeContext({ json: [{}], parameters, typeVersion: 2 });
    const context: ExecuteContext = {
      ...plain,
      async credentials() {
        expect(this).toBe(context);
        return { encryptionPassphrase: 'passphrase' };
      },
    };
    const [encrypted] = (await type('crypto').execute?.(context)) ?? [];
    expect(encrypted?.[0]?.json).toEqual({ data: expect.any(String) });
  });

  test('with many copies of one large text in its parameters fails without ending the process', async () => {
    const text = 'z'.repeat(5_000_000);
    const assignments = Array.from({ length: 100 }, (_, index) => ({ name: `x${index}`, type: 'string', value: text }));
    const parameters = { assignments: { assignments } };
    await expect(runNode(type('set'), { json: [{}], parameters })).rejects.toThrow('contain too much data');
  });

  test('that joins more text than the maximum string length fails with a reason', async () => {
    const field = { aggregation: 'concatenate', field: 'i', separateBy: 'other', customSeparator: 'y'.repeat(900_000) };
    const json = Array.from({ length: 3_000 }, (_, i) => ({ i }));
    const parameters = { fieldsToSummarize: { values: [field] } };
    await expect(runNode(type('summarize'), { json, parameters })).rejects.toThrow('the node returns too much data');
  });

  test('ends with the signal, and its thread with it', async () => {
    const canceling = new AbortController();
    // No element matches, so every chain of siblings is tried.
    const json = [{ data: '<i></i>'.repeat(20_000) }];
    const values = [{ key: 'x', cssSelector: 'b ~ i ~ i', returnArray: true }];
    const run: FakeRun = {
      json,
      signal: canceling.signal,
      parameters: { operation: 'extractHtmlContent', extractionValues: { values } },
    };
    const running = runNode(type('html'), run);
    setTimeout(() => canceling.abort(new Error('canceled')), 300);
    await expect(running).rejects.toThrow('canceled');
  });
});

describe('a Set node on the event loop', () => {
  const written = (value: string, type = 'string') => ({ assignments: { assignments: [{ name: 'b', type, value }] } });
  /** Parameters that a run over two items reads. */
  const readsOf = async (parameters: JsonObject) => {
    const context = fakeContext({ json: [{ a: 1 }, { a: 2 }], parameters: written('x'), typeVersion: 3.4 });
    const reads: string[] = [];
    const parameter: ExecuteContext['parameter'] = (path, ...rest) => {
      reads.push(path);
      return context.parameter(path, ...rest);
    };
    await type('set').execute?.({ ...context, parameter, node: { ...context.node, parameters } });
    return reads.filter((path) => path.startsWith('assignments'));
  };

  test.each(['={{ $json.a }}', '=Hello {{ $json["first name"] }}, {{ $json.list[0] }}!', '={{$json}}', 'text'])(
    'evaluates %s once per item: its result is no larger than the item',
    async (value) => {
      expect(await readsOf(written(value))).toEqual(['assignments.assignments', 'assignments.assignments']);
    },
  );

  test.each([
    ['={{ $json.a.repeat(1e6) }}', 'string'],
    ['={{ $("A").all() }}', 'string'],
    ['={{ $json.a }} {{ $vars.long }}', 'string'],
    ['={{ $json.a }}', 'object'],
    ['={{ $json.a }}', '={{ $json.type }}'],
  ])('first weighs the result of %s as %s', async (value, valueType) => {
    expect(await readsOf(written(value, valueType))).toContain('assignments');
  });
});

describe('a long run on the event loop keeps the objects of its items', () => {
  const rows = (count: number): Item[] => Array.from({ length: count }, (_, id) => ({ json: { id } }));

  test.each([
    ['if', 100_000, { conditions: { combinator: 'and', conditions: [] } }],
    ['limit', 100_000, { maxItems: 100_000 }],
    ['sort', 5_000, { sortFieldsUi: { sortField: [{ fieldName: 'id' }] } }],
  ])('of the node %s with %i items', async (name, count, parameters) => {
    const items = rows(count);
    const outputs = await runNode(type(name), { inputs: [items], parameters, typeVersion: 1 });
    expect(outputs[0]?.length).toBe(count);
    expect(outputs[0]?.at(-1)?.json).toBe(items.at(-1)?.json);
  });

  test.each([
    ['append', { mode: 'append' }, true],
    ['combine by position', { mode: 'combine', combineBy: 'combineByPosition' }, true],
    [
      'compare every item with every other item',
      { mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString: 'id' },
      false,
    ],
  ])('of Merge set to %s', async (_, parameters, stays) => {
    const value = { shared: true };
    const items = rows(1_000).map(({ json }) => ({ json: { ...json, value } }));
    const outputs = await runNode(type('merge'), { inputs: [items, rows(1_000)], parameters, typeVersion: 3 });
    expect(outputs[0]?.[0]?.json['value'] === value).toBe(stays);
  });
});

test.each<[string, string, JsonObject]>([
  ['set', 'fills a gap for each item', { assignments: { assignments: [{ name: 'a[1000]', value: 'x', type: 'string' }] } }],
  ['crypto', 'makes long strings', { action: 'generate', encodingType: 'hex', stringLength: 100_000 }],
])('a run of the node %s that %s ends before it fills the memory', async (name, _, parameters) => {
  const json = Array.from({ length: 10_000 }, () => ({}));
  await expect(runNode(type(name), { json, parameters })).rejects.toThrow('far larger than its items');
});

test('a type whose run may move to a thread is found there under its own name', async () => {
  for (const [name, load] of Object.entries(loaders)) {
    const loaded = await load();
    expect(loaded.description.name).toBe(name);
    expect(offLoop(loaded).execute).not.toBe(loaded.execute);
  }
});
