import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Database } from '@sluice/db';
import { WorkerLeaseRepository } from '@sluice/db/worker-lease-repository';
import { selfSigned } from '@sluice/http-client/testing';
import { eventually } from '@sluice/test-support';
import { type PostgresServer, startPostgresServer, startStandby } from '@sluice/test-support/servers';
import { sql } from 'kysely';

const open: Database[] = [];
const connect = (url: string): Database => {
  const db = createDatabase({ url });
  open.push(db);
  return db;
};
afterEach(async () => void (await Promise.all(open.splice(0).map((db) => db.close()))));

const portOf = async (db: Database) => {
  const { rows } = await sql<{ port: number }>`SELECT inet_server_port() AS port`.execute(db.kysely);
  return rows[0]?.port;
};

describe('several hosts', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  beforeAll(async () => {
    primary = await startPostgresServer();
    standby = await startStandby(primary);
  });
  afterAll(async () => void (await Promise.all([standby.close(), primary.close()])));

  const url = (parameters = '', servers = [standby, primary]) =>
    `postgres://ann@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`;

  test.each(['', '?target_session_attrs=read-write', '?target_session_attrs=primary'])(
    'with "%s" every connection is to the primary, whichever host is first',
    async (parameters) => {
      const db = connect(url(parameters));
      const ports = await Promise.all(Array.from({ length: 8 }, () => portOf(db)));
      expect(new Set(ports)).toEqual(new Set([primary.port]));
    },
  );

  test('with `any` the first host is used, and a dead host is skipped', async () => {
    expect(await portOf(connect(url('?target_session_attrs=any')))).toBe(standby.port);
    const dead = { ...primary, port: 1 };
    expect(await portOf(connect(url('?target_session_attrs=any', [dead, standby])))).toBe(standby.port);
  });

  test('without a primary, statements fail with SERVICE_UNAVAILABLE', async () => {
    await expect(portOf(connect(url('?target_session_attrs=read-write', [standby])))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  test('connections move from a read-only primary to the promoted standby without a restart', async () => {
    const [db, workerLeases] = [connect(url()), new WorkerLeaseRepository(url(), { leaseMs: 3_000, sourceLeaseMs: 3_000 })];
    await sql`CREATE TABLE workers (id text, lease_expires_at timestamptz)`.execute(db.kysely);
    await eventually(() => workerLeases.renew('one', { sources: false }));
    await sql`ALTER SYSTEM SET default_transaction_read_only = on`.execute(db.kysely);
    await sql`SELECT pg_reload_conf()`.execute(db.kysely);
    const promoting = connect(url('?target_session_attrs=any'));
    await sql`SELECT pg_promote()`.execute(promoting.kysely);

    await eventually(() => sql`INSERT INTO workers VALUES ('two', now())`.execute(db.kysely));
    expect(await portOf(db)).toBe(standby.port);
    await eventually(() => workerLeases.renew('two', { sources: false }));
  });
});

describe('TLS', () => {
  let server: PostgresServer;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-tls-'));
    await writeFile(join(folder, 'ca.pem'), selfSigned.cert);
    server = await startPostgresServer({ tls: selfSigned });
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('`sslmode=verify-full` with the CA is accepted, by address and by name', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const db = connect(`postgres://ann@${host}:${server.port}/postgres?sslmode=verify-full&sslrootcert=${folder}/ca.pem`);
      const { rows } = await sql`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(db.kysely);
      expect(rows).toEqual([{ ssl: true }]);
    }
  });

  test('a certificate of an unknown CA or for another name is rejected', async () => {
    const urls = [
      `${server.url}?sslmode=verify-full`,
      `postgres://ann@127.0.0.2:${server.port}/postgres?sslmode=verify-full&sslrootcert=${folder}/ca.pem`,
    ];
    for (const url of urls) await expect(connect(url).assertWritable()).rejects.toThrow();
    await expect(connect(server.url).assertWritable()).rejects.toThrow(); // the server rejects unencrypted connections
  });
});
