import { afterAll, expect, test } from '@jest/globals';
import type { Embedding, JsonObject } from '@sluice/node-sdk';
import { memoryTables } from '../../testing/memory-tables.ts';
import { type AiNode, aiEngine } from '../../testing/run-ai.ts';
import { supplierType } from '../../testing/scripted-model.ts';

const engine = aiEngine();
afterAll(() => engine.close());

/** The vector of a text: its length and its digits. */
const embedding: Embedding = {
  provider: 'test',
  modelId: 'm',
  embed: async (texts) => {
    batches.push(texts.length);
    return { vectors: texts.map((text) => [...text].slice(0, 3).map((one) => one.charCodeAt(0) % 7)) };
  },
};
/** Number of texts of each embedding request. */
const batches: number[] = [];
const embedder: AiNode = { type: supplierType('embedder', 'ai_embedding', () => embedding), to: { Store: 'ai_embedding' } };
const loader: AiNode = {
  type: 'ai.document-default-data-loader',
  typeVersion: 1.1,
  parameters: {
    jsonMode: 'expressionData',
    jsonData: '={{ $json.text }}',
    options: { metadata: { metadataValues: [{ name: 'kind', value: '={{ $json.kind }}' }] } },
  },
  to: { Store: 'ai_document' },
};

function storeOf(dataTables = memoryTables()) {
  return async (parameters: JsonObject, items: JsonObject[] = [{}]) => {
    const Store: AiNode = { type: '@n8n/n8n-nodes-langchain.vectorStoreInMemory', typeVersion: 1.3, parameters };
    const insert = parameters['mode'] === 'insert';
    const run = await engine.run({ Store, Embedder: embedder, ...(insert && { Loader: loader }) }, items, { dataTables });
    const error = run.outcome.status === 'error' ? run.outcome.error : undefined;
    return { error, json: run.json('Store') };
  };
}

const documents = [
  { text: 'aaa', kind: 'x' },
  { text: 'bcd', kind: 'y' },
  { text: 'aab', kind: 'y' },
];
const textsOf = ({ json }: { json: JsonObject[] }) => json.map(({ document }) => (document as JsonObject)['pageContent']);

test('documents of a project are found by other runs, nearest first, and by their metadata', async () => {
  const run = storeOf();
  expect((await run({ mode: 'insert', memoryKey: { __rl: true, mode: 'id', value: 'k' } }, documents)).error).toBeUndefined();
  const first = await run({ mode: 'load', memoryKey: 'k', prompt: 'aaa', topK: 2 });
  expect(textsOf(first)).toEqual(['aaa', 'aab']);
  expect(first.json[0]?.['score']).toBeCloseTo(1, 5);
  const options = { metadata: { metadataValues: [{ name: 'kind', value: 'y' }] } };
  expect(textsOf(await run({ mode: 'load', memoryKey: 'k', prompt: 'aaa', topK: 1, options }))).toEqual(['aab']);
  expect(textsOf(await run({ mode: 'load', memoryKey: 'other', prompt: 'aaa' }))).toEqual([]);
});

test('a store is cleared before the first insert of a run, if the node enables it', async () => {
  const run = storeOf();
  await run({ mode: 'insert' }, documents);
  await run({ mode: 'insert', clearStore: true }, documents.slice(0, 2));
  expect(textsOf(await run({ mode: 'load', prompt: 'aaa', topK: 9 }))).toHaveLength(2);
});

test('each store that the items name is cleared', async () => {
  const run = storeOf();
  const parameters = { mode: 'insert', clearStore: true, memoryKey: '={{ $json.kind }}' };
  await run(parameters, documents);
  await run(parameters, documents);
  expect(textsOf(await run({ mode: 'load', memoryKey: 'x', prompt: 'aaa' }))).toEqual(['aaa']);
  expect(textsOf(await run({ mode: 'load', memoryKey: 'y', prompt: 'aaa' }))).toHaveLength(2);
});

test('an insert does not read existing documents, of which there may be many', async () => {
  let reads = 0;
  const tables = memoryTables();
  const rows: typeof tables.rows = (...page) => {
    reads += 1;
    return tables.rows(...page);
  };
  const run = storeOf({ ...tables, rows });
  for (const _ of ['first', 'again']) expect((await run({ mode: 'insert' }, documents)).error).toBeUndefined();
  expect(reads).toBe(0);
});

test('a search compares each page of documents before it reads the next, and finds the nearest of all', async () => {
  let reads = 0;
  const tables = memoryTables();
  const rows: typeof tables.rows = (...page) => {
    reads += 1;
    return tables.rows(...page);
  };
  const run = storeOf({ ...tables, rows });
  const many = Array.from({ length: 700 }, (_, index) => ({ text: index === 600 ? 'aaa' : 'afk' }));
  await run({ mode: 'insert' }, many);
  expect(textsOf(await run({ mode: 'load', prompt: 'aaa', topK: 1 }))).toEqual(['aaa']);
  reads = 0;
  expect((await run({ mode: 'load', prompt: 'a' })).error).toMatchObject({ message: expect.stringContaining('length 3') });
  expect(reads).toBe(1);
});

test('batches of embedded documents are limited, regardless of the node setting', async () => {
  batches.length = 0;
  const text = Array.from({ length: 1_500 }, () => 'abc '.repeat(240)).join('\n\n');
  expect((await storeOf()({ mode: 'insert', embeddingBatchSize: 1_000_000 }, [{ text }])).error).toBeUndefined();
  expect(batches).toEqual([1_000, 500]);
});

test('a store accepts a limited number of documents', async () => {
  const run = storeOf();
  const many = Array.from({ length: 2_600 }, () => ({ text: 'abc' }));
  const parameters = { mode: 'insert', embeddingBatchSize: 1_000 };
  expect((await run(parameters, [{ text: 'x'.repeat(1) }])).error).toBeUndefined();
  const text = many.map(() => 'abc '.repeat(240)).join('\n\n');
  expect((await run(parameters, [{ text }])).error).toBeUndefined();
  expect((await run(parameters, [{ text }])).error).toMatchObject({
    message: expect.stringContaining('the store can have at most 5000 documents'),
    description: expect.stringContaining('Clear it'),
  });
});

test('vectors with a different length are rejected', async () => {
  const run = storeOf();
  await run({ mode: 'insert' }, documents);
  expect((await run({ mode: 'load', prompt: 'a' })).error).toMatchObject({
    message: 'the store has vectors of length 3, not 1',
    description: expect.stringContaining('embedding model'),
  });
});

test('a key that is too long is rejected', async () => {
  const { error } = await storeOf()({ mode: 'load', memoryKey: 'k'.repeat(101), prompt: 'a' });
  expect(error).toMatchObject({ message: 'a memory key has at most 100 characters' });
});

test('without data tables, the node fails with an explanation', async () => {
  const Store: AiNode = { type: 'ai.vector-store-in-memory', parameters: { mode: 'load', prompt: 'a' } };
  const { outcome } = await engine.run({ Store, Embedder: embedder });
  expect(outcome).toMatchObject({ status: 'error', error: { message: expect.stringContaining('data tables') } });
});
