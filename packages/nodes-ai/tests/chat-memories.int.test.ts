import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExecuteContext, JsonObject, Memory } from '@sluice/node-sdk';
import { openRedis } from '@sluice/nodes-base/node-tools';
import { testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { type PostgresServer, startPostgresServer } from '../../nodes-base/tests/support/postgres-server.ts';
import { example as postgresExample } from '../src/nodes/memory-postgres-chat/example.ts';
import { example as redisExample } from '../src/nodes/memory-redis-chat/example.ts';
import { askSubNode } from '../src/testing/ask-sub-node.ts';
import { aiEngine } from '../src/testing/run-ai.ts';
import { runExample } from '../src/testing/run-example.ts';

type Connect = ExecuteContext['connect'];
const signal = new AbortController().signal;
const prefix = testRedisPrefix();
const url = new URL(testRedisUrl());
const toRedis: Connect = async () => {
  const socket = url.protocol.startsWith('redis')
    ? connect({ host: url.hostname, port: Number(url.port || 6379) })
    : connect({ path: url.pathname });
  await once(socket, 'connect');
  return socket;
};
const redisData: JsonObject = {
  host: 'redis.example',
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  database: Number(url.pathname.slice(1)) || 0,
};

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(async () => {
  const client = await openRedis(redisData, { connect: toRedis } as never, signal);
  await client.del(`${prefix}s`, `${prefix}text`, `${prefix}shared`, 'ada');
  client.disconnect();
  await server.close();
});

type Kind = 'postgres' | 'redis';
const typeOf = (kind: Kind) => `@n8n/n8n-nodes-langchain.memory${kind === 'redis' ? 'Redis' : 'Postgres'}Chat`;
const connectTo = (kind: Kind): Connect => (kind === 'redis' ? toRedis : server.connect);
const dataOf = (kind: Kind) => (kind === 'redis' ? redisData : server.credential);

async function use(kind: Kind, parameters: JsonObject, ask: (memory: Memory) => Promise<unknown>) {
  const engine = aiEngine({ c: dataOf(kind) }, {}, connectTo(kind));
  const all = { sessionIdType: 'customKey', sessionKey: `${prefix}s`, contextWindowLength: 2, ...parameters };
  try {
    const supplier = { type: typeOf(kind), typeVersion: 1.3, parameters: all, credentials: { [kind]: 'c' } };
    const { outcome, json } = await askSubNode(engine, 'ai_memory', supplier, ask);
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

describe.each<Kind>(['postgres', 'redis'])('%s', (kind) => {
  test('stores a conversation for other runs, and deletes its newest messages', async () => {
    const table = { tableName: `Chats_${kind}` };
    const before = await use(kind, table, (memory) => memory.load({}, signal));
    expect(before).toEqual([]);
    const escaped = String.raw`2'; -- \u0000`;
    for (const question of ['1\u0000', escaped, '3'])
      await use(kind, table, (memory) => memory.append(exchange(question), signal).then(() => null));
    const first = kind === 'redis' ? '1\u0000' : '1';
    expect(await use(kind, table, (memory) => memory.load({ all: true }, signal))).toEqual(
      [first, escaped, '3'].flatMap(exchange),
    );
    expect(await use(kind, table, (memory) => memory.load({}, signal))).toEqual([escaped, '3'].flatMap(exchange));
    await use(kind, table, (memory) => memory.clear({ last: 3 }, signal).then(() => null));
    expect(await use(kind, table, (memory) => memory.load({}, signal))).toEqual([...exchange(first), exchange(escaped)[0]]);
    await use(kind, table, (memory) => memory.clear({}, signal).then(() => null));
    expect(await use(kind, table, (memory) => memory.load({}, signal))).toEqual([]);
  });

  test('keeps messages that concurrent runs add', async () => {
    const parameters = { tableName: 'concurrent', sessionKey: `${prefix}shared`, contextWindowLength: 100 };
    const questions = Array.from({ length: 8 }, (_, n) => `q${n}`);
    await Promise.all(
      questions.map((question) =>
        use(kind, parameters, (memory) => memory.append(exchange(question), signal).then(() => null)),
      ),
    );
    const messages = (await use(kind, parameters, (memory) => memory.load({}, signal))) as { content: string }[];
    expect(messages.map(({ content }) => content).toSorted()).toEqual(
      questions.flatMap((question) => exchange(question).map(({ content }) => content)).toSorted(),
    );
  });

  test('runs the example in its documentation', async () => {
    const example = kind === 'redis' ? redisExample : postgresExample;
    const { outcome, json } = await runExample(example, { connect: connectTo(kind), credentials: { [kind]: dataOf(kind) } });
    expect(outcome).toMatchObject({ status: 'success' });
    expect(json(example.output.node)).toEqual(example.output.items);
  });
});

test('messages that other programs stored in Postgres are read', async () => {
  await server.admin.query(`CREATE SCHEMA IF NOT EXISTS app; CREATE TABLE app.chats
    (id SERIAL PRIMARY KEY, session_id VARCHAR(255) NOT NULL, message JSONB NOT NULL)`);
  const messages = [
    { type: 'human', data: { content: 'old form' } },
    { type: 'ai', content: '', tool_calls: [{ name: 't' }] },
    { type: 'tool', content: 'result' },
    { type: 'ai', content: [{ type: 'text', text: 'new form' }] },
  ];
  for (const message of messages)
    await server.admin.query('INSERT INTO app.chats (session_id, message) VALUES ($1, $2)', ['x', message]);
  const parameters = { tableName: 'app.Chats', sessionKey: 'x', contextWindowLength: 5 };
  expect(await use('postgres', parameters, (memory) => memory.load({}, signal))).toEqual([
    { role: 'user', content: 'old form' },
    { role: 'assistant', content: 'new form' },
  ]);
  await use('postgres', parameters, (memory) => memory.append(exchange('mine'), signal).then(() => null));
  const { rows } = await server.admin.query('SELECT message FROM app.chats ORDER BY id DESC LIMIT 2');
  expect(rows[1].message).toEqual({ type: 'human', content: 'mine', additional_kwargs: {}, response_metadata: {} });
});

test('a name is never interpreted as SQL, and a server error includes the reason', async () => {
  const evil = 'x"; DROP SCHEMA public; --';
  await use('postgres', { tableName: evil }, (memory) => memory.append(exchange('a'), signal).then(() => null));
  expect(await use('postgres', { tableName: evil }, (memory) => memory.load({}, signal))).toEqual(exchange('a'));
  await expect(
    use('postgres', { sessionKey: 'k'.repeat(300) }, (memory) => memory.append(exchange('a'), signal).then(() => null)),
  ).rejects.toThrow('too long');
});

test('a conversation in Redis expires after its TTL, and a key with another type of value is rejected', async () => {
  const client = await openRedis(redisData, { connect: toRedis } as never, signal);
  try {
    await use('redis', { sessionTTL: 100 }, (memory) => memory.append(exchange('a'), signal).then(() => null));
    expect(await client.ttl(`${prefix}s`)).toBeGreaterThan(90);
    await client.set(`${prefix}text`, 'x');
    await expect(use('redis', { sessionKey: `${prefix}text` }, (memory) => memory.load({}, signal))).rejects.toMatchObject({
      message: expect.stringContaining('WRONGTYPE'),
      description: expect.stringContaining('another key'),
    });
  } finally {
    client.disconnect();
  }
});
