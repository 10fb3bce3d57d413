import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { redisEndpoints } from '@sluice/queue';
import { aChain, aNode, eventually, testRedisUrl } from '@sluice/test-support';
import { Aedes } from 'aedes';
import { sql } from 'kysely';
import pg from 'pg';
import { Fleet } from './support/fleet.ts';

const servers: { close(): unknown }[] = [];

const folder = await mkdtemp(join(tmpdir(), 'watched-'));
const fleet = await Fleet.start({ SSRF_PROTECTION: 'off', FILES_DIR: folder, RATE_LIMIT_MAX: '1000000' });
await fleet.work();
await fleet.serve();
afterAll(async () => {
  await fleet.close();
  for (const server of servers) server.close();
  await rm(folder, { recursive: true });
});

const send = (method: string, path: string, body?: object) => fleet.call(method, path, body);

/** Port of a server that is closed after the test. */
async function listening(server: ReturnType<typeof createServer> | Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** A port that forwards to a server, whose own address may be a socket. */
const portTo = (address: { path: string } | { host: string; port: number }) =>
  listening(
    createServer((socket) => {
      const server = connect(address);
      for (const [from, to] of [
        [socket, server],
        [server, socket],
      ] as const)
        from.on('error', () => to.destroy()).pipe(to);
    }),
  );

interface Source {
  type: string;
  parameters: JsonObject;
  credential?: { type: string; data: JsonObject };
}

/**
 * Activates a workflow that starts with the node, and waits until the node polls or listens.
 * Resolves to the workflow ID.
 */
async function active({ type, parameters, credential }: Source): Promise<string> {
  const node = aNode({ name: 'Source', type: `base.${type}`, parameters });
  if (credential) {
    const { status, body } = await send('POST', '/credentials', { name: type, ...credential });
    expect([status, body.message]).toEqual([201, undefined]);
    node.credentials = { [credential.type]: { id: body.id, name: type } };
  }
  const after = aNode({
    name: 'After',
    type: 'base.set',
    typeVersion: 3.4,
    parameters: { mode: 'raw', jsonOutput: '={{ { got: $json } }}' },
  });
  const { body } = await send('POST', '/workflows', aChain([node, after]));
  expect((await send('POST', `/workflows/${body.id}/activate`)).status).toBe(200);
  await eventually(async () => {
    const [trigger] = (await send('GET', `/workflows/${body.id}/triggers`)).body.data;
    expect(trigger.lastError).toBeNull();
    expect(trigger.lastSuccessAt).not.toBeNull();
  });
  return body.id;
}

/** Waits for `count` executions of the workflow. Resolves to their outputs. */
async function outcomes(id: string, count = 1): Promise<JsonObject[][]> {
  return eventually(async () => {
    const { body } = await send('GET', `/executions?workflowId=${id}&includeData=true`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(Array(count).fill('success'));
    return body.data
      .toReversed()
      .map(
        (execution: {
          data: { resultData: { runData: { After: [{ data: { main: [{ json: { got: JsonObject } }[]] } }] } } };
        }) => execution.data.resultData.runData.After[0].data.main[0].map(({ json }) => json.got),
      );
  });
}

test('a message published in Redis starts the workflow', async () => {
  const [server] = redisEndpoints(testRedisUrl());
  const data = {
    host: '127.0.0.1',
    port: await portTo(server ?? { path: testRedisUrl().slice('unix://'.length) }),
    database: 0,
  };
  const parameters = { channels: `${fleet.queuePrefix}orders.*`, options: { jsonParseBody: true } };
  const id = await active({ type: 'redis-trigger', parameters, credential: { type: 'redis', data } });
  await fleet.redis.publish(`${fleet.queuePrefix}orders.new`, '{"order":7}');
  expect(await outcomes(id)).toEqual([[{ channel: `${fleet.queuePrefix}orders.new`, message: { order: 7 } }]]);
});

test('a Postgres notification starts the workflow', async () => {
  const { host, port, user = '', password, database: name = '' } = new pg.Client({ connectionString: fleet.databaseUrl });
  const server = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const data = { host: '127.0.0.1', port: await portTo(server), database: name, user, password: password ?? '' };
  const parameters = { triggerMode: 'listenTrigger', channelName: 'orders' };
  const id = await active({ type: 'postgres-trigger', parameters, credential: { type: 'postgres', data } });
  await sql`SELECT pg_notify('orders', '{"order":7}')`.execute(fleet.db.kysely);
  expect(await outcomes(id)).toEqual([[{ processId: expect.any(Number), channel: 'orders', payload: { order: 7 } }]]);
});

test('a new file starts the workflow', async () => {
  const inbox = join(folder, 'inbox');
  await mkdir(inbox);
  const id = await active({
    type: 'local-file-trigger',
    parameters: { triggerOn: 'folder', path: inbox, events: ['add'] },
  });
  await writeFile(join(inbox, 'order.csv'), 'id\n7\n');
  expect(await outcomes(id)).toEqual([[{ event: 'add', path: join(inbox, 'order.csv') }]]);
});

test('each server-sent event starts an execution', async () => {
  let send: (text: string) => void = () => undefined;
  const port = await listening(
    createHttpServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      send = (text) => void response.write(`data: ${text}\n\n`);
    }),
  );
  const id = await active({ type: 'sse-trigger', parameters: { url: `http://127.0.0.1:${port}/events` } });
  send('{"price":5}');
  send('{"price":6}');
  expect(await outcomes(id, 2)).toEqual([[{ price: 5 }], [{ price: 6 }]]);
});

test('new entries of a feed start one execution per poll', async () => {
  const entries = ['<item><title>Old</title><link>https://example.com/1</link></item>'];
  const port = await listening(
    createHttpServer((_, response) => response.end(`<rss version="2.0"><channel>${entries.join('')}</channel></rss>`)),
  );
  const pollTimes = { item: [{ mode: 'custom', cronExpression: '* * * * * *' }] };
  const parameters = { feedUrl: `http://127.0.0.1:${port}/feed`, pollTimes };
  const id = await active({ type: 'rss-feed-read-trigger', parameters });
  entries.unshift('<item><title>New</title><link>https://example.com/2</link></item>');
  expect(await outcomes(id)).toEqual([[expect.objectContaining({ title: 'New', link: 'https://example.com/2' })]]);
});

test('a message from an MQTT broker starts the workflow', async () => {
  const broker = await Aedes.createBroker({
    authenticate: (_, username, password, done) => done(null, username === 'ann' && String(password) === 'correct horse'),
  });
  servers.push(broker);
  const port = await listening(createServer(broker.handle));
  const data = { protocol: 'mqtt', host: '127.0.0.1', port, username: 'ann', password: 'correct horse' };
  const parameters = { topics: 'sensors/#', options: { jsonParseBody: true } };
  const id = await active({ type: 'mqtt-trigger', parameters, credential: { type: 'mqtt', data } });
  const packet = { cmd: 'publish' as const, topic: 'sensors/hall', payload: '{"celsius":21}', qos: 1 as const, retain: false };
  await new Promise<void>((resolve) => broker.publish({ ...packet, dup: false }, () => resolve()));
  expect(await outcomes(id)).toEqual([[{ message: { celsius: 21 }, topic: 'sensors/hall' }]]);
});
