import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject, Memory } from '@sluice/node-sdk';
import { type MongoServer, mongoServer } from '../../nodes-base/src/testing/mongo-server.ts';
import { example } from '../src/nodes/memory-mongo-db-chat/example.ts';
import { askSubNode } from '../src/testing/ask-sub-node.ts';
import { aiEngine } from '../src/testing/run-ai.ts';
import { runExample } from '../src/testing/run-example.ts';

type Command = Readonly<Record<string, unknown>>;
type Sessions = Map<string, JsonObject[]>;

const { signal } = new AbortController();
const sessions: Sessions = new Map();
let server: MongoServer;
let answer: (command: Command) => object;
beforeEach(async () => {
  sessions.clear();
  answer = (command) => stored(command);
  server = await mongoServer((command) => answer(command));
});
afterEach(() => server.close());

/** Responds like a collection with one document per session. */
function stored(command: Command): object {
  if ('find' in command) {
    const { filter, projection } = command as unknown as Find;
    const messages = sessions.get(filter.sessionId)?.slice(projection.messages.$slice);
    return { cursor: { id: 0n, ns: 'db.chats', firstBatch: messages ? [{ messages }] : [] } };
  }
  const [{ q, u, upsert }] = (command['updates'] ?? [{}]) as [Update];
  if (upsert === true && u?.$push) sessions.set(q.sessionId, [...(sessions.get(q.sessionId) ?? []), ...u.$push.messages.$each]);
  return { n: 1 };
}

interface Find {
  filter: { sessionId: string };
  projection: { messages: { $slice: number } };
}
interface Update {
  q: { sessionId: string };
  u?: { $push?: { messages: { $each: JsonObject[] } } };
  upsert?: boolean;
}

const toServer: ExecuteContext['connect'] = async () => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};
const data = { connectionString: 'mongodb://mongo.example/db?directConnection=true' };

async function use(parameters: JsonObject, ask: (memory: Memory) => Promise<unknown>, items: JsonObject[] = [{}]) {
  const engine = aiEngine({ c: data }, {}, toServer);
  const supplier = {
    type: '@n8n/n8n-nodes-langchain.memoryMongoDbChat',
    typeVersion: 1,
    parameters: { sessionIdType: 'customKey', sessionKey: 's', contextWindowLength: 1, ...parameters },
    credentials: { mongoDb: 'c' },
  };
  try {
    const { outcome, json } = await askSubNode(engine, 'ai_memory', supplier, ask, { items });
    if (outcome.status === 'error') throw Object.assign(new Error(outcome.error.message), outcome.error);
    return json('Asker')[0]?.['result'];
  } finally {
    await engine.close();
  }
}

const exchange = (question: string) =>
  [
    { role: 'user', content: question },
    { role: 'assistant', content: `re: ${question}` },
  ] as const;
const append = (question: string) => (memory: Memory) => memory.append(exchange(question), signal).then(() => null);
const all = (memory: Memory) => memory.load({ all: true }, signal);

test('stores a conversation for other runs in LangChain format; the model receives the window', async () => {
  expect(await use({}, all)).toEqual([]);
  for (const question of ['1', '2']) await use({}, append(question));
  expect(await use({}, all)).toEqual(['1', '2'].flatMap(exchange));
  expect(await use({}, (memory) => memory.load({}, signal))).toEqual(exchange('2'));
  expect(sessions.get('s')?.[0]).toEqual({
    type: 'human',
    data: { content: '1', additional_kwargs: {}, response_metadata: {} },
  });
  expect(server.received.at(-1)).toMatchObject({ find: 'n8n_chat_histories', filter: { sessionId: 's' } });
});

test('the session key comes from the item, and the collection from the node', async () => {
  await use({ sessionIdType: 'fromInput', collectionName: 'chats' }, append('1'), [{ sessionId: 'ada' }]);
  expect(server.received).toMatchObject([{ update: 'chats', updates: [{ q: { sessionId: 'ada' }, upsert: true }] }]);
});

test('is rejected without a session: conversations of all users would mix', async () => {
  await expect(use({ sessionIdType: 'fromInput' }, all)).rejects.toThrow('the memory has no session');
  expect(server.received).toEqual([]);
});

test('deletes the newest messages, or all', async () => {
  await use({}, (memory) => memory.clear({ last: 3 }, signal).then(() => null));
  const keptCount = { $subtract: [{ $size: { $ifNull: ['$messages', []] } }, 3] };
  const messages = { $cond: [{ $gt: [keptCount, 0] }, { $slice: ['$messages', keptCount] }, []] };
  expect(server.received.at(-1)).toMatchObject({ updates: [{ q: { sessionId: 's' }, u: [{ $set: { messages } }] }] });
  await use({}, (memory) => memory.clear({}, signal).then(() => null));
  expect(server.received.at(-1)).toMatchObject({ delete: 'n8n_chat_histories', deletes: [{ q: { sessionId: 's' } }] });
});

test('tolerates messages from other programs, and a rejection includes the reason', async () => {
  const others = [{ type: 'ai', data: { content: 'mine' } }, { type: 'tool', data: { content: 'x' } }, 7, null];
  answer = () => ({ cursor: { id: 0n, ns: 'db.chats', firstBatch: [{ messages: others }] } });
  expect(await use({}, all)).toEqual([{ role: 'assistant', content: 'mine' }]);
  answer = () => ({ cursor: { id: 0n, ns: 'db.chats', firstBatch: [{ messages: 'none' }] } });
  expect(await use({}, all)).toEqual([]);
  answer = () => ({ ok: 0, errmsg: 'not authorized on db', code: 13 });
  await expect(use({}, all)).rejects.toMatchObject({
    message: 'MongoDB: not authorized on db',
    description: expect.stringContaining('permissions'),
  });
});

test('runs the example in its documentation', async () => {
  const { outcome, json } = await runExample(example, { connect: toServer, credentials: { mongoDb: data } });
  expect(outcome).toMatchObject({ status: 'success' });
  expect(json(example.output.node)).toEqual(example.output.items);
  expect(sessions.get('ada')).toHaveLength(4);
});
