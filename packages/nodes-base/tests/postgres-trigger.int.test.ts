import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/node-sdk';
import { type FakeListener, type ListenOptions, listen } from '@sluice/node-sdk/testing';
import { eventually, watchForLeaks } from '@sluice/test-support';
import { example } from '../src/nodes/postgres-trigger/example.ts';
import { postgresTrigger } from '../src/nodes/postgres-trigger/postgres-trigger.ts';
import { type PostgresServer, startPostgresServer } from './support/postgres-server.ts';

const leaks = watchForLeaks();
const listeners: FakeListener[] = [];
let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgresServer();
});
beforeEach(async () => {
  await server.admin.query(`DROP TABLE IF EXISTS orders, "odd ""table" CASCADE;
    CREATE TABLE orders (id int, name text); CREATE TABLE "odd ""table" (v text)`);
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) await listener.close();
});
afterAll(async () => {
  await server.close();
  await leaks();
});

async function start(parameters: JsonObject, more: ListenOptions = {}): Promise<FakeListener> {
  const credentials = { postgres: server.credential };
  const listener = await listen(postgresTrigger, { connect: server.connect, credentials, parameters, ...more });
  listeners.push(listener);
  return listener;
}

const jsonOf = ({ events }: FakeListener) => events.map(({ items }) => items.map(({ json }) => json));
const payloads = (listener: FakeListener) => jsonOf(listener).map(([json]) => json?.['payload']);
const madeObjects = async () => {
  const { rows } = await server.admin.query(`SELECT proname AS name FROM pg_proc WHERE proname ~ 'sluice|mine|evil'
    UNION ALL SELECT tgname FROM pg_trigger WHERE tgname ~ 'sluice|mine|evil' ORDER BY 1`);
  return rows.map(({ name }) => name as string);
};

test('the example works', async () => {
  const listener = await start(example.parameters);
  await server.admin.query(`INSERT INTO orders VALUES (7, 'chair')`);
  await eventually(() => expect(jsonOf(listener)).toEqual([[{ ...example.outputs?.[0]?.[0], processId: expect.any(Number) }]]));
});

test.each([
  ['INSERT', [{ id: 1, name: 'a' }]],
  ['UPDATE', [{ id: 1, name: 'b' }]],
  ['DELETE', [{ id: 1, name: 'b' }]],
] as const)('%s of a row starts one execution with the row; other changes start none', async (firesOn, expected) => {
  const listener = await start({ tableName: { __rl: true, mode: 'list', value: 'orders' }, firesOn });
  await server.admin.query(`INSERT INTO orders VALUES (1, 'a'); UPDATE orders SET name = 'b'; DELETE FROM orders`);
  await eventually(() => expect(payloads(listener)).toEqual(expected));
});

test('a row that is too large for a notification does not stop the statement', async () => {
  const listener = await start({ tableName: 'orders' });
  await server.admin.query('INSERT INTO orders VALUES (1, $1)', ['x'.repeat(10_000)]);
  await eventually(() => expect(payloads(listener)).toEqual([{ tooLarge: true, table: 'orders', schema: 'public' }]));
});

test('a channel with other notifiers starts executions with the payload, parsed if it is JSON', async () => {
  const listener = await start({ triggerMode: 'listenTrigger', channelName: 'Odd "channel' });
  await server.admin.query(`NOTIFY "Odd ""channel", '{"a":1}'; NOTIFY "Odd ""channel", 'text'; NOTIFY other, 'no'`);
  await eventually(() => expect(payloads(listener)).toEqual([{ a: 1 }, 'text']));
  expect(await madeObjects()).toEqual([]);
});

test('names are always quoted', async () => {
  const evil = `evil" ON orders; DROP TABLE orders; --'`;
  const additionalFields = { functionName: evil, triggerName: evil, channelName: `evil'); DROP TABLE orders; --` };
  const listener = await start({ tableName: 'odd "table', additionalFields });
  await server.admin.query(`INSERT INTO "odd ""table" VALUES ('x')`);
  await eventually(() => expect(payloads(listener)).toEqual([{ v: 'x' }]));
  await server.admin.query('SELECT FROM orders');
  await expect(start({ tableName: 'x'.repeat(64) })).rejects.toThrow('a name of 1 to 63 bytes');
});

test('drops its objects when it is closed', async () => {
  const listener = await start({ tableName: 'orders' });
  expect(await madeObjects()).toHaveLength(2);
  await listener.close();
  expect(await madeObjects()).toEqual([]);
  expect(listener.failures).toEqual([]);
});

test('several triggers on one table start and stop concurrently, and leave no objects', async () => {
  for (let round = 0; round < 3; round++) {
    const ids = Array.from({ length: 8 }, (_, id) => `w${id}`);
    const begun = await Promise.all(ids.map((id) => start({ tableName: 'orders' }, { workflow: { id } })));
    expect(await madeObjects()).toHaveLength(16);
    await Promise.all(begun.map((listener) => listener.close()));
    expect(await madeObjects()).toEqual([]);
  }
});

test('after a crash, the objects are replaced, and a worker that resumes late does not drop its successor’s objects', async () => {
  const old = await start({ tableName: 'orders' });
  const successor = await start({ tableName: 'orders' });
  await old.close();
  await server.admin.query(`INSERT INTO orders VALUES (1, 'a')`);
  await eventually(() => expect(payloads(successor)).toEqual([{ id: 1, name: 'a' }]));
});

test('keeps other owners’ objects unless they may be replaced', async () => {
  await server.admin.query(`CREATE OR REPLACE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`);
  const additionalFields = { functionName: 'mine()' };
  await expect(start({ tableName: 'orders', additionalFields })).rejects.toThrow('already');
  const listener = await start({ tableName: 'orders', additionalFields: { ...additionalFields, replaceIfExists: true } });
  await server.admin.query(`INSERT INTO orders VALUES (1, 'a')`);
  await eventually(() => expect(payloads(listener)).toHaveLength(1));
});

test('reports a lost connection; a missing table or a wrong password prevents the start', async () => {
  const listener = await start({ triggerMode: 'listenTrigger', channelName: 'c' });
  await server.admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()`,
  );
  await eventually(() => expect(listener.failures).toMatchObject([{ code: 'CONNECTION_FAILED' }]));
  await expect(start({ tableName: 'none' })).rejects.toThrow('relation "public.none" does not exist');
});
