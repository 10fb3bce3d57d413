import { afterAll, afterEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { askSubNode } from '../testing/ask-sub-node.ts';
import { type ProviderServer, providerServer, type ReceivedRequest, type ServerAnswer } from '../testing/provider-server.ts';
import { aiEngine } from '../testing/run-ai.ts';

const data: Record<string, JsonObject> = {};
const routes: Record<string, string> = {};
const engine = aiEngine(data, routes);
afterAll(() => engine.close());
let server: ProviderServer | undefined;
afterEach(() => server?.close());

interface Case {
  type: string;
  credential: string;
  /** Credential field with the address, and the path there; or an origin that is routed. */
  address: readonly [field: string, path: string];
  path: string;
  key: readonly [header: string, value: string | undefined];
  typeVersion?: number;
  parameters: JsonObject;
  /** Members of the first request. */
  sent: JsonObject;
}

const bearer = ['authorization', 'Bearer key-1'] as const;
const cases: Record<string, Case> = {
  OpenAI: {
    type: 'embeddingsOpenAi',
    credential: 'openAiApi',
    address: ['url', '/v1'],
    path: '/v1/embeddings',
    key: bearer,
    parameters: { model: 'text-embedding-3-large', options: { dimensions: 2, batchSize: 2 } },
    sent: { model: 'text-embedding-3-large', input: ['t 0', 't 1'], dimensions: 2 },
  },
  Azure: {
    type: 'embeddingsAzureOpenAi',
    credential: 'azureOpenAiApi',
    address: ['endpoint', ''],
    path: '/openai/deployments/e1/embeddings?api-version=2024-10-21',
    key: ['api-key', 'key-1'],
    parameters: { model: 'e1', options: { batchSize: 2, stripNewLines: false } },
    sent: { input: ['t\n0', 't\n1'] },
  },
  Mistral: {
    type: 'embeddingsMistralCloud',
    credential: 'mistralCloudApi',
    address: ['https://api.mistral.ai', ''],
    path: '/v1/embeddings',
    key: bearer,
    parameters: { options: { batchSize: 2 } },
    sent: { model: 'mistral-embed', input: ['t 0', 't 1'] },
  },
  Cohere: {
    type: 'embeddingsCohere',
    credential: 'cohereApi',
    address: ['https://api.cohere.ai', ''],
    path: '/compatibility/v1/embeddings',
    key: bearer,
    parameters: { modelName: 'embed-multilingual-v3.0' },
    sent: { model: 'embed-multilingual-v3.0', input: ['t\n0', 't\n1', 't\n2'] },
  },
  Ollama: {
    type: 'embeddingsOllama',
    credential: 'ollamaApi',
    address: ['baseUrl', ''],
    path: '/v1/embeddings',
    key: bearer,
    parameters: { model: 'nomic-embed-text:latest' },
    sent: { model: 'nomic-embed-text:latest', input: ['t\n0', 't\n1', 't\n2'] },
  },
  'Hugging Face': {
    type: 'embeddingsHuggingFaceInference',
    credential: 'huggingFaceApi',
    address: ['https://router.huggingface.co', ''],
    path: '/hf-inference/models/sentence-transformers/all-MiniLM-L6-v2/pipeline/feature-extraction',
    key: bearer,
    parameters: { modelName: 'sentence-transformers/all-MiniLM-L6-v2' },
    sent: { inputs: ['t\n0', 't\n1', 't\n2'] },
  },
  Gemini: {
    type: 'embeddingsGoogleGemini',
    credential: 'googlePalmApi',
    address: ['host', ''],
    path: '/v1beta/models/text-embedding-004:batchEmbedContents',
    key: ['x-goog-api-key', 'key-1'],
    parameters: { modelName: 'models/text-embedding-004' },
    sent: { requests: [{ content: { parts: [{ text: 't\n0' }] } }, {}, {}] },
  },
  Vertex: {
    type: 'embeddingsGoogleVertex',
    credential: 'googleApi',
    address: ['https://us-central1-aiplatform.googleapis.com', ''],
    path: '/v1/projects/my-project/locations/us-central1/publishers/google/models/text-embedding-005:predict',
    key: bearer,
    parameters: { projectId: { __rl: true, mode: 'list', value: 'my-project' } },
    sent: { instances: [{ content: 't\n0' }, { content: 't\n1' }, { content: 't\n2' }] },
  },
};

/** The vector of a text `n` is `[n, 1]`. */
function vectorsFor({ body }: ReceivedRequest): object {
  const values = (texts: unknown[]) => texts.map((text) => [Number(/[n ](\d)"/.exec(JSON.stringify(text))?.[1]), 1]);
  if (Array.isArray(body['requests'])) return { embeddings: values(body['requests']).map((one) => ({ values: one })) };
  if (Array.isArray(body['instances'])) {
    const embeddings = values(body['instances']).map((one) => ({ values: one, statistics: { token_count: 2 } }));
    return { predictions: embeddings.map((one) => ({ embeddings: one })) };
  }
  if (Array.isArray(body['inputs'])) return values(body['inputs']);
  const list = values(body['input'] as unknown[]);
  return {
    id: 'e',
    object: 'list',
    model: body['model'],
    data: list.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: list.length, total_tokens: list.length },
  };
}

/** `failures`: number of requests that receive the response `failure`. */
async function embed(
  { type, typeVersion = 1, credential, address, path, key, parameters }: Case,
  failure?: ServerAnswer,
  failures = 1,
) {
  const problem = (request: ReceivedRequest): ServerAnswer => {
    if (failure && opened.received.length <= failures) return failure;
    if (request.path !== path) return { status: 404, body: JSON.stringify({ error: { message: request.path } }) };
    if (request.headers[key[0]] !== key[1]) return { status: 401 };
    return { status: 200, body: JSON.stringify(vectorsFor(request)) };
  };
  const error = (status: number, message: string) => ({ error: { message, code: status } });
  const format = { problem, error, isStream: () => false, completion: () => ({}), stream: () => '', failingStream: () => '' };
  const opened = await providerServer(format, []);
  server = opened;
  const [field, below] = address;
  if (field.startsWith('https:')) routes[field] = opened.origin;
  data['c1'] = {
    apiKey: 'key-1',
    oauthTokenData: { access_token: 'key-1' },
    apiVersion: '2024-10-21',
    [field]: `${opened.origin}${below}`,
  };
  const node = { type: `@n8n/n8n-nodes-langchain.${type}`, typeVersion, parameters, credentials: { [credential]: 'c1' } };
  const texts = ['t\n0', 't\n1', 't\n2'];
  const run = await askSubNode(engine, 'ai_embedding', node, (embedding, signal) => embedding.embed(texts, signal));
  return { ...run, received: opened.received };
}

const three = [
  [0, 1],
  [1, 1],
  [2, 1],
];

test.each(Object.entries(cases))('%s: vectors in the order of the texts, in batches', async (_, one) => {
  const { json, received, outcome } = await embed(one);
  expect(outcome.status).toBe('success');
  expect(json('Asker')[0]?.['result']).toMatchObject({ vectors: three });
  expect(received[0]?.body).toMatchObject(one.sent);
});

test.each([
  [1, 'text-embedding-ada-002'],
  [1.1, 'text-embedding-3-small'],
  [1.2, 'text-embedding-3-small'],
])('version %d of OpenAI without a model uses %s', async (typeVersion, model) => {
  const { received } = await embed({ ...(cases['OpenAI'] as Case), typeVersion, parameters: {} });
  expect(received[0]?.body).toMatchObject({ model });
});

test.each(Object.entries(cases))('%s: a rate-limited request is retried', async (_, one) => {
  const { json } = await embed(one, { status: 429, headers: { 'retry-after': '0.1' } });
  expect(json('Asker')[0]?.['result']).toMatchObject({ vectors: three });
});

test.each(Object.entries(cases))('%s: an error for a rejected key names the credential', async (_, one) => {
  const { outcome } = await embed({ ...one, key: [one.key[0], 'other'] });
  expect(outcome).toMatchObject({ error: { code: 'MODEL_FAILED', description: expect.stringContaining('credential') } });
});

test.each<[string, string, RegExp]>([
  ['vectors that contain words', JSON.stringify([[[0, 1]], [[1, 1]], [[2, 1]]]), /choose a sentence similarity model/],
  ['a vector too few', JSON.stringify([[0, 1]]), /1 vectors for 3 texts/],
  ['text', '"no"', /neither a JSON object nor a list/],
])('Hugging Face: %s is refused', async (_, body, message) => {
  const { outcome } = await embed(cases['Hugging Face'] as Case, { status: 200, body }, 9);
  expect(outcome).toMatchObject({ error: { message: expect.stringMatching(message) } });
});

test('Vertex: a Gemini model receives one text per request', async () => {
  const vertex = cases['Vertex'] as Case;
  const path = vertex.path.replace('text-embedding-005', 'gemini-embedding-001');
  const parameters = { ...vertex.parameters, modelName: 'gemini-embedding-001' };
  const { json, received } = await embed({ ...vertex, path, parameters });
  expect(json('Asker')[0]?.['result']).toMatchObject({ vectors: three, usage: { inputTokens: 6 } });
  expect(received).toHaveLength(3);
});

test('no key is sent to Ollama if the credential has no key', async () => {
  const { received } = await embed(cases['Ollama'] as Case);
  expect(received[0]?.headers.authorization).toBe('Bearer key-1');
  await server?.close();
  data['c2'] = { baseUrl: 'http://127.0.0.1:1' };
  const again = await providerServer(
    {
      problem: (request) => ({ status: request.headers.authorization ? 401 : 200, body: JSON.stringify(vectorsFor(request)) }),
      error: () => ({}),
      isStream: () => false,
      completion: () => ({}),
      stream: () => '',
      failingStream: () => '',
    },
    [],
  );
  server = again;
  data['c2'] = { baseUrl: again.origin };
  const node = { type: 'ai.embeddings-ollama', parameters: { model: 'm' }, credentials: { ollamaApi: 'c2' } };
  const { outcome } = await askSubNode(engine, 'ai_embedding', node, (embedding, signal) => embedding.embed(['t 1'], signal));
  expect(outcome.status).toBe('success');
});

test.each<[string, JsonObject, number]>([
  ['textSplitterTokenSplitter', { chunkSize: 4, chunkOverlap: 1 }, 3],
  ['textSplitterCharacterTextSplitter', { chunkSize: 12, separator: ' ' }, 4],
  ['textSplitterRecursiveCharacterTextSplitter', { chunkSize: 12 }, 5],
])('%s splits documents', async (type, parameters, count) => {
  const text = 'The quick brown fox jumps over the lazy dog';
  const node = { type: `@n8n/n8n-nodes-langchain.${type}`, parameters };
  const { json, outcome } = await askSubNode(engine, 'ai_textSplitter', node, (splitter, signal) =>
    splitter.split([{ text, metadata: { a: 1 } }], signal),
  );
  expect(outcome).toMatchObject({ status: 'success' });
  const chunks = json('Asker')[0]?.['result'] as JsonObject[];
  expect(chunks).toHaveLength(count);
  expect(chunks[0]).toMatchObject({ text: expect.stringContaining('The quick'), metadata: { a: 1 } });
  expect(chunks.at(-1)).toMatchObject({ text: expect.stringContaining('dog') });
});
