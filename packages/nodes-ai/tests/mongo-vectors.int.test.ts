import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Embedding, ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { type MongoServer, mongoServer } from '../../nodes-base/src/testing/mongo-server.ts';
import { example } from '../src/nodes/vector-store-mongo-d-b-atlas/example.ts';
import { type AiNode, aiEngine } from '../src/testing/run-ai.ts';
import { runExample } from '../src/testing/run-example.ts';
import { scriptedModel, supplierType } from '../src/testing/scripted-model.ts';

type Command = Readonly<Record<string, unknown>>;

let stored: JsonObject[];
let server: MongoServer;
beforeEach(async () => {
  stored = [];
  server = await mongoServer((command) => answer(command));
});
afterEach(() => server.close());

interface VectorSearchStage {
  index: string;
  path: string;
  queryVector: number[];
  limit: number;
  numCandidates: number;
  filter?: { $and: Record<string, { $eq: unknown }>[] };
}

const refused = (errmsg: string) => ({ ok: 0, errmsg, code: 8 });

/**
 * Responds like a collection of Atlas whose index `vectors` has the field `v` and the filter
 * `kind`.
 */
function answer(command: Command): object {
  if ('insert' in command) {
    stored.push(...(command['documents'] as JsonObject[]));
    return { n: 1 };
  }
  if (!('aggregate' in command)) return refused('unknown command');
  const [first, ...rest] = command['pipeline'] as [{ $vectorSearch: VectorSearchStage }, ...object[]];
  const { index, path, queryVector, limit, numCandidates, filter = { $and: [] } } = first.$vectorSearch;
  if (index !== 'vectors' || path !== 'v') return refused(`PlanExecutor error: index ${index} has no ${path}`);
  if (numCandidates < limit) return refused('"numCandidates" must be greater than or equal to "limit"');
  if (filter.$and.some((condition) => !('kind' in condition))) return refused('needs to be indexed as filter');
  const projected = { _id: 0, document: '$$ROOT', score: { $meta: 'vectorSearchScore' } };
  expect(rest).toEqual([{ $project: projected }, { $unset: 'document.v' }]);
  const firstBatch = stored
    .filter((one) => filter.$and.every((condition) => one['kind'] === condition['kind']?.$eq))
    .map(({ v, ...document }) => ({
      document,
      score: (v as number[]).reduce((sum, value, at) => sum + value * (queryVector[at] ?? 0), 0),
    }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);
  return { cursor: { id: 0n, ns: 'db.docs', firstBatch } };
}

const toServer: ExecuteContext['connect'] = async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};
const data = { connectionString: 'mongodb://mongo.example/db?directConnection=true' };

/** A text's vector counts its letters a and b. */
const embedding: Embedding = {
  provider: 'test',
  modelId: 'm',
  embed: async (texts) => ({ vectors: texts.map((text) => ['a', 'b'].map((letter) => text.split(letter).length - 1)) }),
};
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
const store = (parameters: JsonObject): AiNode => ({
  type: '@n8n/n8n-nodes-langchain.vectorStoreMongoDBAtlas',
  typeVersion: 1.3,
  parameters: {
    mongoCollection: { __rl: true, mode: 'list', value: 'docs', cachedResultName: 'docs' },
    embedding: 'v',
    vectorIndexName: 'vectors',
    ...parameters,
  },
  credentials: { mongoDb: 'c' },
});

async function run(nodes: Record<string, AiNode>, items: JsonObject[] = [{}]) {
  const engine = aiEngine({ c: data }, {}, toServer);
  try {
    return await engine.run(nodes, items);
  } finally {
    await engine.close();
  }
}

const documents = [
  { text: 'aa', kind: 'x' },
  { text: 'ab', kind: 'y' },
  { text: 'bbb', kind: 'y' },
];
const insert = () => run({ Store: store({ mode: 'insert' }), Embedder: embedder, Loader: loader }, documents);
const load = async (parameters: JsonObject) => {
  const { json, outcome } = await run({ Store: store({ mode: 'load', ...parameters }), Embedder: embedder });
  return { outcome, json: json('Store'), texts: json('Store').map(({ document }) => (document as JsonObject)['pageContent']) };
};

test('documents are stored in LangChain format, and found, nearest first', async () => {
  const { json } = await insert();
  expect(json('Store')[0]).toMatchObject({ pageContent: 'aa', metadata: { kind: 'x' } });
  expect(stored[0]).toMatchObject({ text: 'aa', v: [2, 0], kind: 'x', loc: { lines: { from: 1, to: 1 } } });
  const result = await load({ prompt: 'a', topK: 2 });
  expect(result.texts).toEqual(['aa', 'ab']);
  expect(result.json[0]).toMatchObject({ document: { metadata: { kind: 'x' } }, score: 2 });
  expect(result.json[0]?.['document']).not.toHaveProperty('metadata.v');
});

test('a metadata filter is a filter of the search', async () => {
  await insert();
  const options = (name: string) => ({ metadata: { metadataValues: [{ name, value: 'y' }] } });
  expect((await load({ prompt: 'a', options: options('kind') })).texts).toEqual(['ab', 'bbb']);
  expect((await load({ prompt: 'a', options: options('other') })).outcome).toMatchObject({
    error: { message: 'MongoDB: needs to be indexed as filter', description: expect.stringContaining('the index') },
  });
});

test('an agent searches the collection with a tool', async () => {
  await insert();
  const model = scriptedModel([{ calls: [{ name: 'productDocs', input: { input: 'b' } }] }, 'done']);
  const { outcome } = await run({
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: 'which?' } },
    Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
    Store: {
      ...store({ mode: 'retrieve-as-tool', toolName: 'productDocs', toolDescription: 'docs', topK: 1 }),
      typeVersion: 1.1,
      to: { Agent: 'ai_tool' },
    },
    Embedder: embedder,
  });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain('bbb');
});

test('the fields of other programs are used, and a missing index name is an error', async () => {
  stored.push({ content: 'ab', v: [1, 1], page: 7 });
  const result = await load({ prompt: 'a', metadata_field: 'content' });
  expect(result.json).toEqual([{ document: { pageContent: 'ab', metadata: { page: 7 } }, score: 1 }]);
  expect((await load({ prompt: 'a', vectorIndexName: '' })).outcome).toMatchObject({ status: 'error' });
});

test('runs the example in its documentation', async () => {
  const { outcome, json } = await runExample(example, { connect: toServer, credentials: { mongoDb: data } });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(json(example.output.node)).toEqual(example.output.items);
  expect(server.received).toMatchObject([{ insert: 'documents' }]);
});
