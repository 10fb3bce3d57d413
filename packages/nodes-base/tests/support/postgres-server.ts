import { once } from 'node:events';
import { connect, type NetConnectOpts } from 'node:net';
import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { testDatabase } from '@sluice/test-support';
import pg from 'pg';

/** A database for one test, with the credential that nodes use. */
export interface PostgresServer {
  /** Client for the test's own queries. */
  admin: pg.Client;
  /** Fields of the credential; its host is only reachable over `connect`. */
  credential: JsonObject;
  connect: ExecuteContext['connect'];
  close(): Promise<void>;
}

export async function startPostgresServer(): Promise<PostgresServer> {
  const database = await testDatabase();
  const admin = new pg.Client({ connectionString: database.url });
  await admin.connect();
  const { host, port, user, password, database: name } = admin;
  const address: NetConnectOpts = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  return {
    admin,
    credential: { host: 'db.example', database: name ?? '', user: user ?? '', password: password ?? '' },
    async connect() {
      const socket = connect(address);
      await once(socket, 'connect');
      return socket;
    },
    async close() {
      await admin.end();
      await database.drop();
    },
  };
}
