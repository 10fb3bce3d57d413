import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Embedding, JsonObject } from '@sluice/node-sdk';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { type ProviderServer, providerServer, type WireFormat } from '../testing/provider-server.ts';
import { type AiNode, aiEngine } from '../testing/run-ai.ts';
import { scriptedModel, supplierType } from '../testing/scripted-model.ts';
import { pineconeFormat, qdrantFormat, supabaseFormat, weaviateFormat } from '../testing/store-servers.ts';

const data: Record<string, JsonObject> = {};
const routes: Record<string, string> = {};
const engine = aiEngine(data, routes);
afterAll(() => engine.close());
let server: ProviderServer;
afterEach(() => server.close());

const words = ['cat', 'dog', 'fish'];
/** The vector of a text counts each word. */
const embedding: Embedding = {
  provider: 'test',
  modelId: 'words',
  embed: async (texts) => ({ vectors: texts.map((text) => words.map((word) => text.split(word).length - 1)) }),
};

interface Store {
  type: string;
  credential: string;
  format(): WireFormat;
  /** Sets the credential and the routes. */
  start(origin: string): JsonObject;
  target: JsonObject;
  /** Score of a document for the product of the vectors; default: the product. */
  scoreOf?(product: number): number;
}

const stores: Record<string, Store> = {
  Qdrant: {
    type: 'vectorStoreQdrant',
    credential: 'qdrantApi',
    format: () => qdrantFormat([]),
    start: (origin) => ({ apiKey: 'key-1', qdrantUrl: `${origin}/` }),
    target: { qdrantCollection: { __rl: true, mode: 'id', value: 'my docs' } },
  },
  Pinecone: {
    type: 'vectorStorePinecone',
    credential: 'pineconeApi',
    format: () => pineconeFormat(new Map()),
    start: (origin) => {
      routes['https://api.pinecone.io'] = origin;
      routes['https://docs-1.svc.pinecone.io'] = origin;
      return { apiKey: 'key-1' };
    },
    target: { pineconeIndex: { __rl: true, mode: 'list', value: 'docs' } },
  },
  Supabase: {
    type: 'vectorStoreSupabase',
    credential: 'supabaseApi',
    format: () => supabaseFormat([]),
    start: (origin) => ({ host: origin, serviceRole: 'key-1' }),
    target: { tableName: { __rl: true, mode: 'list', value: 'documents' } },
  },
  Weaviate: {
    type: 'vectorStoreWeaviate',
    credential: 'weaviateApi',
    format: () => weaviateFormat([]),
    start: (origin) => ({ weaviate_cloud_endpoint: `${origin}/`, weaviate_api_key: 'key-1' }),
    target: { weaviateCollection: { __rl: true, mode: 'list', value: 'docs' } },
    scoreOf: (product) => 1 - product,
  },
};
const productOf = (product: number) => product;

const embedder = (...to: string[]): AiNode => ({
  type: supplierType('embedder', 'ai_embedding', () => embedding),
  to: Object.fromEntries(to.map((node) => [node, 'ai_embedding'])),
});
const loader: AiNode = {
  type: '@n8n/n8n-nodes-langchain.documentDefaultDataLoader',
  typeVersion: 1.1,
  parameters: {
    jsonMode: 'expressionData',
    jsonData: '={{ $json.text }}',
    options: { metadata: { metadataValues: [{ name: 'kind', value: '={{ $json.kind }}' }] } },
  },
  to: { Store: 'ai_document' },
};
const animals = [
  { text: 'the cat', kind: 'pet' },
  { text: 'the dog and the dog', kind: 'pet' },
  { text: 'the dog', kind: 'wild' },
  { text: 'a fish', kind: 'wild' },
];

describe.each(Object.entries(stores))('%s', (_, store) => {
  const { scoreOf = productOf } = store;
  beforeEach(async () => {
    server = await providerServer(store.format(), []);
    data['c1'] = store.start(server.origin);
  });

  const node = (parameters: JsonObject, more: Partial<AiNode> = {}): AiNode => ({
    type: `@n8n/n8n-nodes-langchain.${store.type}`,
    typeVersion: 1.3,
    parameters: { ...store.target, ...parameters },
    credentials: { [store.credential]: 'c1' },
    ...more,
  });
  const insert = (parameters: JsonObject = {}, items: JsonObject[] = animals) =>
    engine.run({ Store: node({ mode: 'insert', ...parameters }), Embedder: embedder('Store'), Loader: loader }, items);
  const load = async (parameters: JsonObject) => {
    const run = await engine.run({ Store: node({ mode: 'load', ...parameters }), Embedder: embedder('Store') });
    return { ...run, contents: run.json('Store').map(({ document }) => (document as JsonObject)['pageContent']) };
  };

  test('documents that were inserted are found, nearest first, with their metadata', async () => {
    const inserted = await insert();
    expect(inserted.outcome).toMatchObject({ status: 'success' });
    expect(inserted.json('Store')).toHaveLength(4);
    expect(inserted.json('Store')[0]).toMatchObject({ pageContent: 'the cat', metadata: { kind: 'pet' } });
    const { contents, json } = await load({ prompt: 'dog', topK: 2 });
    expect(contents).toEqual(['the dog and the dog', 'the dog']);
    expect(json('Store')[0]).toMatchObject({ document: { metadata: { kind: 'pet' } }, score: scoreOf(2) });
  });

  test('a metadata filter applies', async () => {
    await insert();
    const options = { metadata: { metadataValues: [{ name: 'kind', value: 'wild' }] } };
    expect((await load({ prompt: 'dog', topK: 1, options })).contents).toEqual(['the dog']);
  });

  test('metadata is omitted if the node disables it', async () => {
    await insert();
    const { json } = await load({ prompt: 'cat', topK: 1, includeDocumentMetadata: false });
    expect(json('Store')).toEqual([{ document: { pageContent: 'the cat' }, score: scoreOf(1) }]);
  });

  test('a reranker sorts the found documents', async () => {
    await insert();
    const seen: string[] = [];
    const rerank = async ({
      query,
      documents,
    }: {
      query: string;
      documents: readonly { text: string; metadata: JsonObject }[];
    }) => {
      seen.push(query);
      return [...documents].reverse().map((document, index) => ({ ...document, score: -index }));
    };
    const run = await engine.run({
      Store: node({ mode: 'load', prompt: 'dog', topK: 2, useReranker: true }),
      Embedder: embedder('Store'),
      Reranker: {
        type: supplierType('reranker', 'ai_reranker', () => ({ modelId: 'r', rerank })),
        to: { Store: 'ai_reranker' },
      },
    });
    expect(seen).toEqual(['dog']);
    expect(run.json('Store').map(({ document }) => (document as JsonObject)['pageContent'])).toEqual([
      'the dog',
      'the dog and the dog',
    ]);
  });

  test('an agent searches the store with a tool', async () => {
    await insert();
    const model = scriptedModel([{ calls: [{ name: 'Store', input: { input: 'a fish?' } }] }, 'done']);
    const run = await engine.run({
      Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: 'which?' } },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Agent: 'ai_languageModel' } },
      Store: node({ mode: 'retrieve-as-tool', toolDescription: 'Animals', topK: 1 }, { to: { Agent: 'ai_tool' } }),
      Embedder: embedder('Store'),
    });
    expect(run.outcome).toMatchObject({ status: 'success' });
    expect(model.requests[0]?.tools?.[0]).toMatchObject({ name: 'Store', description: 'Animals' });
    expect(JSON.stringify(model.requests[1]?.messages)).toContain('a fish');
    expect(run.uses('Store')).toHaveLength(1);
  });

  test('a chain answers a question from documents found by a retriever', async () => {
    await insert();
    const model = scriptedModel(['It barks.']);
    const run = await engine.run({
      Chain: { type: 'ai.chain-retrieval-qa', typeVersion: 1.6, parameters: { promptType: 'define', text: 'a dog?' } },
      Model: { type: supplierType('model', 'ai_languageModel', () => model), to: { Chain: 'ai_languageModel' } },
      Retriever: { type: 'ai.retriever-vector-store', parameters: { topK: 1 }, to: { Chain: 'ai_retriever' } },
      Store: node({ mode: 'retrieve' }, { to: { Retriever: 'ai_vectorStore' } }),
      Embedder: embedder('Store'),
    });
    expect(run.json('Chain')).toEqual([{ response: 'It barks.' }]);
    expect(model.requests[0]?.messages[0]).toMatchObject({ content: expect.stringContaining('the dog and the dog') });
  });

  test('an error for a rejected key says what to check', async () => {
    data['c1'] = { ...data['c1'], apiKey: 'other', serviceRole: 'other', weaviate_api_key: 'other' };
    expect((await insert()).outcome).toMatchObject({
      status: 'error',
      error: {
        message: expect.stringMatching(/refused the request with status 40[13]/),
        description: expect.stringContaining('credential'),
      },
    });
  });
});

test('Pinecone: an update replaces a document, a namespace is cleared once, and a missing namespace is not an error', async () => {
  const store = stores['Pinecone'] as Store;
  const namespaces = new Map();
  server = await providerServer(pineconeFormat(namespaces), []);
  data['c1'] = store.start(server.origin);
  const run = (parameters: JsonObject, items: JsonObject[]) => {
    const Store = {
      type: 'ai.vector-store-pinecone',
      parameters: { ...store.target, ...parameters },
      credentials: { pineconeApi: 'c1' },
    };
    return engine.run({ Store, Embedder: embedder('Store'), Loader: loader }, items);
  };
  const options = { pineconeNamespace: 'N', clearNamespace: true };
  await run({ mode: 'insert', options }, animals);
  const again = await run({ mode: 'insert', options }, animals.slice(0, 2));
  expect(again.outcome).toMatchObject({ status: 'success' });
  const [first] = namespaces.get('N');
  expect(namespaces.get('N')).toHaveLength(2);
  await run({ mode: 'update', id: first.id, options: { pineconeNamespace: 'N' } }, [{ text: 'a fish', kind: 'wild' }]);
  expect(namespaces.get('N').map(({ data: { text } }: { data: JsonObject }) => text)).toEqual([
    'a fish',
    'the dog and the dog',
  ]);
});

describe('Weaviate', () => {
  const run = (parameters: JsonObject, items: JsonObject[] = [{}]) => {
    const Store = {
      type: 'ai.vector-store-weaviate',
      typeVersion: 1.3,
      parameters: { ...(stores['Weaviate'] as Store).target, ...parameters },
      credentials: { weaviateApi: 'c1' },
    };
    const insert = parameters['mode'] === 'insert';
    return engine.run({ Store, Embedder: embedder('Store'), ...(insert && { Loader: loader }) }, items);
  };
  let stored: Parameters<typeof weaviateFormat>[0];
  beforeEach(async () => {
    stored = [];
    server = await providerServer(weaviateFormat(stored), []);
    data['c1'] = (stores['Weaviate'] as Store).start(server.origin);
  });
  const texts = async (options: JsonObject) => {
    const { json, outcome } = await run({ mode: 'load', prompt: 'dog', topK: 4, options });
    return outcome.status === 'success'
      ? json('Store').map(({ document }) => (document as JsonObject)['pageContent'])
      : outcome;
  };

  test('nested metadata becomes plain properties, and each tenant has its own documents', async () => {
    for (const tenant of ['a', 'b'])
      await run({ mode: 'insert', options: { tenant } }, [{ text: `the dog ${tenant}`, kind: 'pet' }]);
    expect(stored[0]?.data).toMatchObject({ text: 'the dog a', kind: 'pet', loc_lines_from: 1, tenant: 'a' });
    expect(await texts({ tenant: 'b' })).toEqual(['the dog b']);
  });

  test('the data of a collection is cleared once, and the keys of text and metadata are used', async () => {
    const cleared = (items: JsonObject[]) => run({ mode: 'insert', options: { clearStore: true, textKey: 'summary' } }, items);
    expect((await cleared(animals)).outcome).toMatchObject({ status: 'success' });
    await cleared(animals.slice(0, 2));
    expect(stored.map(({ data: { summary } }) => summary)).toEqual(['the cat', 'the dog and the dog']);
    const { json } = await run({ mode: 'load', prompt: 'cat', topK: 1, options: { textKey: 'summary', metadataKeys: 'kind' } });
    expect(json('Store')).toEqual([{ document: { pageContent: 'the cat', metadata: { kind: 'pet' } }, score: 0 }]);
  });

  test('search filters select documents, and text in them never becomes part of the query', async () => {
    await run({ mode: 'insert' }, [...animals, { text: 'the odd dog', kind: 'x" } ) { evil } #' }]);
    const equal = (value: string) => ({ path: ['kind'], operator: 'equal', valueString: value });
    const filter = (json: unknown) => ({ searchFilterJson: JSON.stringify(json) });
    expect(await texts(filter({ OR: [equal('wild'), equal('none')] }))).toEqual(['the dog', 'a fish']);
    expect(await texts(filter({ AND: [equal('wild'), equal('pet')] }))).toEqual([]);
    expect(JSON.stringify(server.received.at(-1)?.body)).toContain('operator: And');
    await texts(filter({ AND: [equal('x" } ) { evil } #')] }));
    expect(server.received.at(-1)?.body['query']).toContain(String.raw`valueText: "x\" } ) { evil } #"`);
    expect(await texts(filter({ AND: [{ path: ['kind'], operator: 'evil', valueString: 'x' }] }))).toMatchObject({
      error: { message: expect.stringContaining('no known operator') },
    });
  });

  test('a document that Weaviate refuses fails the node', async () => {
    await run({ mode: 'insert' }, animals.slice(0, 1));
    const { outcome } = await run({ mode: 'insert', options: { tenant: 't' } }, animals.slice(0, 1));
    expect(outcome).toMatchObject({
      error: { message: expect.stringContaining('Weaviate refused a document: invalid object') },
    });
    expect((await run({ mode: 'insert', weaviateCollection: 'a b' }, animals)).outcome).toMatchObject({
      error: { message: '"A b" is not a name in Weaviate' },
    });
  });
});

test('Supabase: an update sends the row ID', async () => {
  const store = stores['Supabase'] as Store;
  const rows: Parameters<typeof supabaseFormat>[0] = [];
  server = await providerServer(supabaseFormat(rows), []);
  data['c1'] = store.start(server.origin);
  const run = (parameters: JsonObject, items: JsonObject[]) => {
    const Store = {
      type: 'ai.vector-store-supabase',
      parameters: { ...store.target, ...parameters },
      credentials: { supabaseApi: 'c1' },
    };
    return engine.run({ Store, Embedder: embedder('Store'), Loader: loader }, items);
  };
  await run({ mode: 'insert' }, animals);
  await run({ mode: 'update', id: '2' }, [{ text: 'a fish', kind: 'wild' }]);
  expect(rows.map(({ data: { content } }) => content)).toEqual(['the cat', 'a fish', 'the dog', 'a fish']);
});

test('the question tool answers with a model, from documents in the store', async () => {
  const store = stores['Qdrant'] as Store;
  server = await providerServer(store.format(), []);
  data['c1'] = store.start(server.origin);
  const node = (parameters: JsonObject, to?: Record<string, string>): AiNode => ({
    type: 'ai.vector-store-qdrant',
    parameters: { ...store.target, ...parameters },
    credentials: { qdrantApi: 'c1' },
    ...(to && { to }),
  });
  await engine.run({ Store: node({ mode: 'insert' }), Embedder: embedder('Store'), Loader: loader }, animals);
  const agent = scriptedModel([{ calls: [{ name: 'animals', input: { input: 'what about the cat?' } }] }, 'done']);
  const answerer = scriptedModel(['Cats purr.']);
  const run = await engine.run({
    Agent: { type: 'ai.agent', typeVersion: 3, parameters: { promptType: 'define', text: 'hi' } },
    Model: { type: supplierType('model', 'ai_languageModel', () => agent), to: { Agent: 'ai_languageModel' } },
    Tool: {
      type: 'ai.tool-vector-store',
      typeVersion: 1,
      parameters: { name: 'animals', description: 'facts', topK: 1 },
      to: { Agent: 'ai_tool' },
    },
    Answerer: { type: supplierType('answerer', 'ai_languageModel', () => answerer), to: { Tool: 'ai_languageModel' } },
    Store: node({ mode: 'retrieve' }, { Tool: 'ai_vectorStore' }),
    Embedder: embedder('Store'),
  });
  expect(run.outcome).toMatchObject({ status: 'success' });
  expect(agent.requests[0]?.tools?.[0]?.description).toContain('facts');
  expect(answerer.requests[0]?.messages[0]).toMatchObject({ content: expect.stringContaining('the cat') });
  expect(JSON.stringify(agent.requests[1]?.messages)).toContain('Cats purr.');
});

test('Cohere reranks', async () => {
  const format = supabaseFormat([]);
  server = await providerServer(
    {
      ...format,
      problem: ({ path, headers, body }) => {
        if (path !== '/v2/rerank' || headers.authorization !== 'Bearer key-1') return { status: 404 };
        expect(body).toEqual({ model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], top_n: 2 });
        const results = [
          { index: 1, relevance_score: 0.9 },
          { index: 0, relevance_score: 0.1 },
        ];
        return { status: 200, body: JSON.stringify({ results }) };
      },
    },
    [],
  );
  routes['https://api.cohere.com'] = server.origin;
  data['c1'] = { apiKey: 'key-1' };
  const documents = ['a', 'b'].map((text) => ({ text, metadata: { text } }));
  const supplier = { type: 'ai.reranker-cohere', credentials: { cohereApi: 'c1' } };
  const { json } = await askSubNode(engine, 'ai_reranker', supplier, (reranker, signal) =>
    reranker.rerank({ query: 'q', documents }, signal),
  );
  expect(json('Asker')[0]?.['result']).toEqual([
    { text: 'b', metadata: { text: 'b' }, score: 0.9 },
    { text: 'a', metadata: { text: 'a' }, score: 0.1 },
  ]);
});
