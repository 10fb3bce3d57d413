import type { EnginePorts } from '@sluice/engine';
import type { JsonObject } from '@sluice/node-sdk';
import type { AiExample, ExampleApi } from './ai-example.ts';
import { anthropicFormat } from './anthropic-format.ts';
import { bedrockCredential, bedrockFormat, bedrockRuntime } from './bedrock-format.ts';
import { geminiFormat, vertexCredential, vertexFormat, vertexOrigin } from './gemini-format.ts';
import { memoryTables } from './memory-tables.ts';
import { ollamaFormat } from './ollama-format.ts';
import { openAiFormat } from './open-ai-server.ts';
import { type ProviderServer, providerServer, type ReceivedRequest, type WireFormat } from './provider-server.ts';
import { type AiRun, aiEngine } from './run-ai.ts';
import { pineconeFormat, qdrantFormat, supabaseFormat, weaviateFormat } from './store-servers.ts';

const words = ['cat', 'dog', 'fish'];
/** The vector of a text counts each word. */
const vectorOf = (text: string) => words.map((word) => text.toLowerCase().split(word).length - 1);

/** Chat and embeddings of OpenAI-compatible services, at any path. */
function compatible(path: string): WireFormat {
  const isAzure = path.includes('api-version');
  const format = openAiFormat({ path, ...(isAzure && { key: ['api-key', 'key-1'] as const }) });
  return { ...format, problem: (request) => embeddings(request) ?? format.problem(request) };
}

function embeddings({ path, body }: ReceivedRequest) {
  if (!path.includes('/embeddings')) return undefined;
  const data = (body['input'] as string[]).map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
  const usage = { prompt_tokens: 1, total_tokens: 1 };
  return { status: 200, body: JSON.stringify({ object: 'list', model: body['model'], data, usage }) };
}

const openAi: WireFormat = {
  ...compatible(''),
  problem: (request) => compatible(request.path).problem(request),
};

function geminiVectors({ path, body }: ReceivedRequest) {
  const requests = body['requests'] ?? [body];
  if (!path.toLowerCase().includes('embed'))
    return geminiFormat.problem({ path, body, method: 'POST', headers: { 'x-goog-api-key': 'key-1' } });
  const vectors = (requests as JsonObject[]).map((one) => ({ values: vectorOf(JSON.stringify(one['content'])) }));
  const answer = path.endsWith(':embedContent') ? { embedding: vectors[0] } : { embeddings: vectors };
  return { status: 200, body: JSON.stringify(answer) };
}

function vertexVectors(request: ReceivedRequest) {
  if (!request.path.endsWith(':predict')) return vertexFormat.problem(request);
  const predictions = (request.body['instances'] as { content: string }[]).map(({ content }) => ({
    embeddings: { values: vectorOf(content), statistics: { token_count: 1, truncated: false } },
  }));
  return { status: 200, body: JSON.stringify({ predictions }) };
}

/** Vectors of Titan. */
function bedrockVectors(request: ReceivedRequest) {
  const { path, body } = request;
  if (!path.endsWith('/invoke')) return bedrockFormat.problem(request);
  return { status: 200, body: JSON.stringify({ embedding: vectorOf(String(body['inputText'])), inputTextTokenCount: 1 }) };
}

const huggingFace: WireFormat = {
  ...openAi,
  problem: ({ body }) => ({ status: 200, body: JSON.stringify((body['inputs'] as string[]).map(vectorOf)) }),
};

/** The reranker prefers short text. */
const cohere: WireFormat = {
  ...openAi,
  problem: ({ body }) => {
    const texts = (body['documents'] ?? []) as string[];
    const results = texts.map((text, index) => ({ index, relevance_score: 1 / text.length }));
    results.sort((a, b) => b.relevance_score - a.relevance_score);
    return { status: 200, body: JSON.stringify({ results: results.slice(0, Number(body['top_n'])) }) };
  },
};

const searXng: WireFormat = {
  ...openAi,
  get: () => ({
    answers: [],
    results: [{ title: 'Ada Lovelace', url: 'https://example.com/ada', content: 'A mathematician.' }],
  }),
};

const serpApi: WireFormat = {
  ...openAi,
  get: () => ({ organic_results: [{ title: 'Ada Lovelace', link: 'https://example.com/ada', snippet: 'A mathematician.' }] }),
};

const wikipedia: WireFormat = {
  ...openAi,
  get: () => ({ query: { pages: [{ index: 1, title: 'Ada Lovelace', extract: 'Ada Lovelace was a mathematician.' }] } }),
};

const wolframAlpha: WireFormat = { ...openAi, get: () => ({ result: '384400 km' }) };

/** An MCP server with one tool, over streamable HTTP. */
const mcp: WireFormat = {
  ...openAi,
  problem: ({ method, body }) => {
    if (method !== 'POST') return { status: 405 };
    if (body['id'] === undefined) return { status: 202, body: '' };
    const tool = { name: 'weather', description: 'the weather of a city', inputSchema: { type: 'object' } };
    const results: Record<string, JsonObject> = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'weather', version: '1' } },
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: 'sunny' }] },
    };
    return { status: 200, body: JSON.stringify({ jsonrpc: '2.0', id: body['id'], result: results[String(body['method'])] }) };
  },
};

/** Documents that the collection of the examples has. */
const animals = () =>
  ['Cats purr.', 'Dogs bark loudly.'].map((content, index) => ({
    id: `0000000${index}-0000-4000-8000-000000000000`,
    vector: vectorOf(content),
    data: { content, metadata: {} },
  }));

const apis: Record<ExampleApi, { format: () => WireFormat; origins: string[] }> = {
  openAi: {
    format: () => openAi,
    origins: [
      'https://api.openai.com',
      'https://openrouter.ai',
      'https://api.groq.com',
      'https://api.deepseek.com',
      'https://api.x.ai',
      'https://api.cohere.ai',
      'https://api.mistral.ai',
      'https://acme.openai.azure.com',
      'https://ai-gateway.vercel.sh',
      'https://router.huggingface.co',
      'http://localhost:11434',
    ],
  },
  ollama: { format: () => ollamaFormat, origins: ['http://localhost:11434'] },
  anthropic: { format: () => anthropicFormat, origins: ['https://api.anthropic.com'] },
  bedrock: { format: () => ({ ...bedrockFormat, problem: bedrockVectors }), origins: [bedrockRuntime] },
  gemini: {
    format: () => ({ ...geminiFormat, problem: geminiVectors }),
    origins: ['https://generativelanguage.googleapis.com'],
  },
  cohere: { format: () => cohere, origins: ['https://api.cohere.com'] },
  huggingFace: { format: () => huggingFace, origins: ['https://router.huggingface.co'] },
  mcp: { format: () => mcp, origins: ['https://mcp.example.com'] },
  pinecone: {
    format: () => pineconeFormat(new Map()),
    origins: ['https://api.pinecone.io', 'https://docs-1.svc.pinecone.io'],
  },
  qdrant: { format: () => qdrantFormat(animals(), 3), origins: ['https://qdrant.example.com'] },
  searXng: { format: () => searXng, origins: ['https://searxng.example.com'] },
  serpApi: { format: () => serpApi, origins: ['https://serpapi.com'] },
  supabase: { format: () => supabaseFormat([]), origins: ['https://acme.supabase.co'] },
  vertex: { format: () => ({ ...vertexFormat, problem: vertexVectors }), origins: [vertexOrigin] },
  weaviate: { format: () => weaviateFormat([]), origins: ['https://docs.weaviate.example'] },
  wikipedia: { format: () => wikipedia, origins: ['https://en.wikipedia.org'] },
  wolframAlpha: { format: () => wolframAlpha, origins: ['https://www.wolframalpha.com'] },
};

const credentials: Record<string, JsonObject> = {
  aws: bedrockCredential,
  azureOpenAiApi: { apiKey: 'key-1', resourceName: 'acme', apiVersion: '2025-03-01-preview' },
  googleApi: vertexCredential,
  ollamaApi: { apiKey: 'key-1', baseUrl: 'http://localhost:11434' },
  qdrantApi: { apiKey: 'key-1', qdrantUrl: 'https://qdrant.example.com' },
  searXngApi: { apiUrl: 'https://searxng.example.com' },
  weaviateApi: { weaviate_cloud_endpoint: 'docs.weaviate.example', weaviate_api_key: 'key-1' },
  wolframAlphaApi: { appId: 'key-1' },
  supabaseApi: { host: 'https://acme.supabase.co', serviceRole: 'key-1' },
};

interface Databases {
  connect?: EnginePorts['connect'];
  /** Credential type → data. */
  credentials?: Readonly<Record<string, JsonObject>>;
}

/** Runs an example against loopback servers of its APIs. */
export async function runExample(
  { nodes, items = [{}], apis: used = {}, called }: AiExample,
  databases: Databases = {},
): Promise<AiRun> {
  const servers: ProviderServer[] = [];
  const routes: Record<string, string> = {};
  for (const [name, answers] of Object.entries(used)) {
    const { format, origins } = apis[name as ExampleApi];
    const server = await providerServer(format(), answers);
    servers.push(server);
    for (const origin of origins) routes[origin] = server.origin;
  }
  const data: Record<string, JsonObject> = {};
  const attached = Object.entries(nodes).map(([name, { credential, ...node }]) => {
    if (credential) data[credential] = databases.credentials?.[credential] ?? credentials[credential] ?? { apiKey: 'key-1' };
    return [name, { ...node, ...(credential && { credentials: { [credential]: credential } }) }] as const;
  });
  const engine = aiEngine(data, routes, databases.connect);
  try {
    return await engine.run(Object.fromEntries(attached), items, { dataTables: memoryTables(), ...(called && { called }) });
  } finally {
    await engine.close();
    await Promise.all(servers.map((server) => server.close()));
  }
}
