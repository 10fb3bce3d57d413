import { Socket } from 'node:net';
import { UnavailableError } from '@sluice/domain';
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { ConnectionWatch } from './connection-watch.ts';
import { isConnectionError, translateSqlError } from './sql-errors.ts';
import type { Tables } from './tables/tables.ts';

export interface DatabaseOptions {
  /** libpq URL. */
  url: string;
  /** Connections at most; default 10. One more watches whether Postgres answers. */
  poolSize?: number;
  /** Milliseconds a statement may take; default 30,000. 0: no limit (migrations, maintenance). */
  statementTimeoutMs?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
}

/** A statement that is prepared once per connection under its name; for the hot path. */
export interface PreparedStatement {
  name: string;
  text: string;
  values: unknown[];
}

/** Postgres, for the repositories. Everything it throws is translated: `UnavailableError` while the server is away. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  query<Row extends pg.QueryResultRow>(statement: PreparedStatement): Promise<Row[]>;
  /** False from about two seconds after Postgres stops answering until it answers again. */
  readonly up: boolean;
  /** Resolves when a round trip succeeds; throws `UnavailableError`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** How long to wait for a free or a new connection, in milliseconds: with the watch's two seconds below the three of decision 1.3. */
const acquireTimeoutMs = 2_500;

/**
 * Plans are made for the values at hand: one made once for all, while a table was still small, would scan it for ever. Parsing is
 * what prepared statements save here; planning is shared by a whole group of writes.
 */
const customPlans = '-c plan_cache_mode=force_custom_plan';

// A bigint is a string in JavaScript (ids); so is pg's default. Instants are Dates.
export function createDatabase(options: DatabaseOptions): Database {
  const sockets = new Set<Socket>();
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    return socket;
  };
  const connection = { connectionString: options.url, application_name: options.applicationName ?? 'sluice', keepAlive: true };
  const pool = new pg.Pool({
    ...connection,
    stream: stream as unknown as () => Socket,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: acquireTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    options: customPlans,
  } as pg.PoolConfig);
  pool.on('error', () => undefined); // an idle connection broke; the pool has already dropped it
  const watch = new ConnectionWatch({ ...connection, connectionTimeoutMillis: 2_000 }, () => {
    for (const socket of sockets) socket.destroy();
  });

  const connect = async () => {
    if (!watch.up) throw new UnavailableError('the database cannot be reached');
    try {
      return guardClient(await pool.connect());
    } catch (error) {
      throw translateSqlError(error);
    }
  };
  const query = async <Row extends pg.QueryResultRow>(statement: PreparedStatement): Promise<Row[]> => {
    const client = await connect();
    try {
      return (await client.query<Row>(statement)).rows;
    } finally {
      client.release();
    }
  };
  const guardedPool = { connect, end: () => pool.end(), options: {} } as unknown as PostgresPool;
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guardedPool }) });
  return {
    kysely,
    query,
    get up() {
      return watch.up;
    },
    async ping() {
      await query({ name: 'ping', text: 'SELECT 1', values: [] });
    },
    async close() {
      await watch.close();
      await kysely.destroy();
      await pool.end().catch(() => undefined); // Kysely ends the pool only if it was used
    },
  };
}

interface GuardedClient {
  query<Row extends pg.QueryResultRow>(query: PreparedStatement | string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
  release(): void;
}

/** A pool client whose errors are translated and which does not return to the pool once its connection has failed. */
function guardClient(client: pg.PoolClient): GuardedClient {
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  return {
    async query<Row extends pg.QueryResultRow>(query: PreparedStatement | string, values?: unknown[]) {
      try {
        return await client.query<Row>(query as string, values);
      } catch (error) {
        broken ||= isConnectionError(error);
        throw translateSqlError(error);
      }
    },
    release() {
      client.off('error', onError);
      client.release(broken);
    },
  };
}
