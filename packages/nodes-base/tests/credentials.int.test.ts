import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CredentialPorts, JsonObject } from '@sluice/node-sdk';
import { type TestDatabase, testDatabase, testRedisUrl, watchForLeaks } from '@sluice/test-support';
import { Redis } from 'ioredis';
import pg from 'pg';
import { postgres } from '../src/credentials/postgres.ts';
import { redis } from '../src/credentials/redis.ts';

const leaks = watchForLeaks();
/** Not through a thread, which can only access TCP ports. */
const types = { postgres, redis };
const user = `u${randomUUID()}`;
const password = randomUUID();
let database: TestDatabase;
let admin: Redis;

beforeAll(async () => {
  database = await testDatabase();
  admin = new Redis(testRedisUrl());
  await admin.acl('SETUSER', user, 'on', `>${password}`, '+@all', '~*');
});
afterAll(async () => {
  await admin.acl('DELUSER', user);
  await admin.quit();
  await database.drop();
  await leaks();
});

/** Connects to a service that may listen on a Unix domain socket. */
async function tried(type: keyof typeof types, address: NetConnectOpts, data: JsonObject) {
  const ports: CredentialPorts = {
    http: { request: () => Promise.reject(new Error('the test expected no request')) },
    async connect() {
      const socket = connect(address);
      await once(socket, 'connect');
      return socket;
    },
    connectGuard: { allows: async () => true },
    now: Date.now,
    randomBytes: (size) => Buffer.alloc(size),
  };
  return types[type].test?.({ host: 'db.example', port: 1, ...data }, ports, new AbortController().signal);
}

test('a Postgres credential connects to the server or reports the failure', async () => {
  const { host, port, user: name, password: secret, ...own } = new pg.Client({ connectionString: database.url });
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const data = { database: own.database ?? '', user: name ?? '', password: secret ?? '' };
  const works = { status: 'OK', message: 'the connection works' };
  expect(await tried('postgres', address, data)).toEqual(works);
  expect(await tried('postgres', address, { ...data, ssl: 'allow' })).toEqual(works);
  expect(await tried('postgres', address, { ...data, ssl: 'require' })).toEqual({
    status: 'Error',
    message: 'The server does not support SSL connections',
  });
  expect(await tried('postgres', address, { ...data, database: 'no_such_db' })).toEqual({
    status: 'Error',
    message: 'database "no_such_db" does not exist',
  });
});

test('a Redis credential connects to the server or reports the failure', async () => {
  const { path, host = '', port = 0 } = admin.options;
  const address = path ? { path } : { host, port };
  const data = { user, password, database: 1 };
  expect(await tried('redis', address, data)).toEqual({ status: 'OK', message: 'the connection works' });
  expect(await tried('redis', address, { ...data, password: 'wrong one' })).toEqual({
    status: 'Error',
    message: expect.stringMatching(/^WRONGPASS/),
  });
  expect(await tried('redis', address, { ...data, database: 60_000 })).toMatchObject({ status: 'Error' });
});
