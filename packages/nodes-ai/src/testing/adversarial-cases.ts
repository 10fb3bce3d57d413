import type { NodeType } from '@sluice/node-sdk';
import { frame } from './bedrock-format.ts';

/** An answer of a provider to every request. */
export interface Answer {
  name: string;
  /** Created on demand: it is large. */
  body: () => string | Uint8Array;
  isStream: boolean;
  status?: number;
}

/** Fields of the credentials of all providers. */
export const credential = {
  apiKey: 'x',
  ...Object.fromEntries(['url', 'host', 'baseUrl', 'endpoint'].map((name) => [name, 'https://a.example'])),
  resourceName: 'r',
  apiVersion: '1',
  region: 'us-east-1',
};

const objects = (count: number) => `[${'{},'.repeat(count)}{}]`;
const message = '{"index":0,"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}';
const number = '0.0123456789';
const numbers = (count: number) => `[${`${number},`.repeat(count)}${number}]`;

const whole: readonly Omit<Answer, 'isStream'>[] = [
  { name: 'a list', body: () => objects(2_000_000) },
  { name: 'a refusal with a list', body: () => `{"error":${objects(2_000_000)}}`, status: 400 },
  {
    name: 'many choices',
    body: () => `{"id":"1","created":1,"model":"m","choices":[${`${message},`.repeat(100_000)}${message}]}`,
  },
  { name: 'choices of another type', body: () => `{"choices":[${'1,'.repeat(2_000_000)}1]}` },
  {
    name: 'a long unknown member',
    body: () => `{"id":"1","created":1,"model":"m","message":{"content":"a"},"x":${objects(2_000_000)},"choices":[${message}]}`,
  },
  { name: 'many results', body: () => `{"query":{"pages":${objects(1_000_000)}},"organic_results":${objects(1_000_000)}}` },
  {
    name: 'many parts',
    body: () => `{"output":${objects(1_000_000)},"candidates":[{"content":{"parts":${objects(1_000_000)}}}]}`,
  },
  { name: 'lines', body: () => `{"choices":[${'{},\n\n'.repeat(1_000_000)}{}]}` },
];
const streamed: readonly Omit<Answer, 'isStream'>[] = [
  { name: 'one large event', body: () => `data: {"choices":${objects(2_000_000)}}\n\n` },
  { name: 'an event of many lines', body: () => `data: {"choices":[{}\r\n${'data: ,{}\r\n'.repeat(300_000)}data: ]}\r\n\r\n` },
  { name: 'an event after a comment', body: () => `:"\ndata: {"choices":${objects(1_000_000)}}\n\n` },
  { name: 'many events', body: () => 'data: {"choices":[]}\n\n'.repeat(200_000) },
  { name: 'one large line', body: () => `{"message":${objects(2_000_000)}}\n` },
];
/** Messages of AWS. */
const framed: readonly Omit<Answer, 'isStream'>[] = [
  {
    name: 'one large message',
    body: () => frame({ ':message-type': 'event', ':event-type': 'messageStop' }, Array(340_000).fill({})),
  },
  {
    name: 'many messages',
    body: () => Buffer.concat(Array(100_000).fill(frame({ ':message-type': 'event', ':event-type': 'messageStart' }, {}))),
  },
  {
    name: 'many parts of an answer',
    body: () =>
      Buffer.concat([
        ...Array.from({ length: 100_000 }, (_, contentBlockIndex) =>
          frame(
            { ':message-type': 'event', ':event-type': 'contentBlockDelta' },
            { contentBlockIndex, delta: { toolUse: { input: '{}' } } },
          ),
        ),
        frame({ ':message-type': 'event', ':event-type': 'messageStop' }, { stopReason: 'end_turn' }),
      ]),
  },
];
const vectors: readonly Omit<Answer, 'isStream'>[] = [
  { name: 'a long vector', body: () => `{"data":[{"embedding":${numbers(1_000_000)}}],"embedding":{"values":${numbers(10)}}}` },
  { name: 'many vectors', body: () => `{"data":[${`{"embedding":${numbers(1_000)}},`.repeat(1_000)}{"embedding":[1]}]}` },
];

export function answersOf({ description }: NodeType): Answer[] {
  const isModel = [description.outputs].flat()[0] === 'ai_languageModel';
  return [
    ...[...whole, ...(isModel ? [] : vectors)].map((answer) => ({ ...answer, isStream: false })),
    ...(isModel
      ? [...streamed, ...(description.name === 'lm-chat-aws-bedrock' ? framed : [])].map((answer) => ({
          ...answer,
          isStream: true,
        }))
      : []),
  ];
}

const memory = 'it keeps messages without reading them';
const service = 'it reads answers with `callService`, as the reranker does, and texts on a thread';
const tool = 'it answers calls of a model, whose arguments are checked on a thread';
const splitter = 'it splits texts on a thread, which split-text.test.ts attacks';

/** Types that are not attacked here, with the reason. */
export const notAttacked: Readonly<Record<string, string>> = {
  agent: 'json-checks.test.ts attacks what it reads itself; models and tools are other nodes',
  'agent-tool': 'it runs as the agent',
  'chain-llm': 'json-checks.test.ts attacks what it reads itself; the model is another node',
  'chain-retrieval-qa': 'model and store are other nodes',
  'chain-summarization': 'files are read as by Extract from File, and texts are split on a thread; the model is another node',
  'document-default-data-loader': 'files are read as by Extract from File',
  guardrails: 'it searches texts on a thread with a deadline; the model is another node',
  'information-extractor': 'json-checks.test.ts attacks how it reads answers; the model is another node',
  chat: 'the API reads its replies, as requests of webhooks',
  'chat-trigger': 'the API reads its requests, as those of webhooks',
  'manual-chat-trigger': 'it passes its items on',
  'mcp-client': 'its responses are limited to 2 MB; mcp-client.test.ts attacks how it reads results',
  'mcp-client-tool': 'its responses are limited to 2 MB, and read member by member',
  'mcp-trigger': 'the API reads its requests, as those of webhooks',
  'memory-buffer-window': memory,
  'memory-manager': memory,
  'memory-mongo-db-chat': 'it reads documents as the MongoDB node',
  'memory-postgres-chat': 'it reads rows as the Postgres node',
  'memory-redis-chat': 'it reads replies as the Redis node, and messages in time slices',
  'model-selector': 'models are other nodes; it compares values as the If node',
  'output-parser-autofixing': 'parser and model are other nodes',
  'output-parser-item-list': 'output-parsers.test.ts attacks it',
  'output-parser-structured': 'json-checks.test.ts attacks it',
  'retriever-contextual-compression': 'model and retriever are other nodes',
  'retriever-multi-query': 'model and retriever are other nodes; it splits an answer up to a limit',
  'retriever-vector-store': 'the store is another node',
  'retriever-workflow': 'the workflow is another execution, whose items are read one by one',
  'sentiment-analysis': 'json-checks.test.ts attacks how it reads answers; the model is another node',
  'text-classifier': 'json-checks.test.ts attacks how it reads answers; the model is another node',
  'text-splitter-character-text-splitter': splitter,
  'text-splitter-recursive-character-text-splitter': splitter,
  'text-splitter-token-splitter': splitter,
  'tool-calculator': tool,
  'tool-code': tool,
  'tool-http-request': tool,
  'tool-think': tool,
  'tool-vector-store': 'model and store are other nodes',
  'tool-workflow': tool,
  'vector-store-in-memory': 'it compares the rows of a data table in time slices',
  'vector-store-mongo-d-b-atlas': 'it reads documents as the MongoDB node',
  'vector-store-p-g-vector': 'it reads rows as the Postgres node',
  'vector-store-pinecone': service,
  'vector-store-qdrant': service,
  'vector-store-supabase': service,
  'vector-store-weaviate': service,
};
