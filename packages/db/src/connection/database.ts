import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import { errorMessage, poolWaited, Slots, UnavailableError, within } from '@sluice/domain';
import { Kysely, PostgresAdapter, PostgresDialect, type PostgresPool } from 'kysely';
import pg from 'pg';
import { inSlices, longJsonTypes } from '../json/long-json.ts';
import type { Tables } from '../tables/tables.ts';
import { ConnectionWatch, intervalMs } from './connection-watch.ts';
import { DatabaseHosts, ReadOnlyServerError } from './database-hosts.ts';
import { isConnectionError, translateSqlError } from './sql-errors.ts';
import { StatementWatch } from './statement-watch.ts';
import { takeInTime } from './take-in-time.ts';

interface DatabaseOptions {
  /** As `parseDatabaseUrl` reads it. */
  url: string;
  /**
   * Maximum number of connections; default 10. Half of them are for `byKey` statements. One more
   * connection watches whether Postgres responds.
   */
  poolSize?: number;
  /**
   * Maximum duration of a statement, and of the pause between two statements of a transaction, in
   * milliseconds: a frozen process must not keep its locks. Default 30,000. 0: no limit
   * (migrations, maintenance). Behind a pooler, the role's limits apply instead.
   */
  statementTimeoutMs?: number;
  /**
   * Milliseconds after which a connection is replaced that has not responded to a statement;
   * default: two seconds more than a statement may take.
   */
  silenceMs?: number;
  /** Whether any of several hosts may be used; by default, only one that accepts writes. */
  allowStandby?: boolean;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
}

/** A statement that is prepared once per connection under its name, for the hot path. */
export interface PreparedStatement {
  name: string;
  text: string;
  values: unknown[];
  /**
   * The values contain the key of every row that the statement reads, so one plan suits all values
   * and table sizes. It is made once per connection, with indexes and nested loops only, because
   * planning takes longer than running. Absent: planned for the given values.
   */
  byKey?: true;
}

/**
 * Postgres, for the repositories. All errors are translated: `UnavailableError` while the server is
 * unreachable.
 */
export interface Database {
  readonly kysely: Kysely<Tables>;
  query<Row extends object>(statement: PreparedStatement): Promise<Row[]>;
  /**
   * Becomes false about two seconds after Postgres stops responding, and true when it responds
   * again.
   */
  readonly up: boolean;
  /** Number of statements waiting for a connection, per connection. */
  readonly waiting: number;
  /** Resolves when the server responds and accepts writes; throws `UnavailableError`. */
  assertWritable(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Milliseconds to wait for a free or a new connection: with the watch's two seconds, less than the
 * three seconds of Contract 1.3.
 */
const acquireTimeoutMs = 2_500;

/**
 * Milliseconds for statements in flight to end, and for a server that may not respond to end its
 * connections.
 */
const closeMs = 2_000;

/**
 * A generic plan that was made while a table was small would keep scanning it. Prepared statements
 * are used to save parsing only.
 */
const customPlans = '-c plan_cache_mode=force_custom_plan';

/**
 * Settings for `byKey` statements: a high scan cost keeps plans from scanning, even if the tables
 * were small at planning time.
 */
export const keyedPlans = Object.entries({
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  random_page_cost: 0,
  cpu_tuple_cost: 1,
  jit: 'off',
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The user for whom the current asynchronous code works. */
const currentUser = new AsyncLocalStorage<string>();

/**
 * Users share connections fairly: while all are in use, users take turns, however many statements
 * each of them has. Statements outside of such work, and `byKey` statements, do not take turns.
 */
export function onBehalfOf<T>(userId: string, work: () => T): T {
  return currentUser.run(userId, work);
}

// A bigint becomes a string in JavaScript (ids), which is also pg's default. Timestamps become
// Dates.
export function createDatabase(options: DatabaseOptions): Database {
  const sockets = new Set<Socket>();
  const hosts = new DatabaseHosts(options.url, options);
  const { Client, pooled } = hosts;
  const connection = { application_name: options.applicationName ?? 'sluice', keepAlive: true };
  const { poolSize = 10, statementTimeoutMs: timeoutMs = 30_000 } = options;
  const timeouts = { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: timeoutMs };
  const makePool = (max: number, plans: string) => {
    const session = pooled ? {} : { options: plans, ...timeouts };
    return createPool(sockets, { ...connection, ...session, max, Client });
  };
  const keyedSize = Math.max(1, Math.floor(poolSize / 2));
  const keyed = makePool(keyedSize, keyedPlans);
  const sharedSize = Math.max(1, poolSize - keyedSize);
  const pool = makePool(sharedSize, customPlans);
  // A user may use all connections. Another user waits for the next one that becomes free.
  const shares = new Slots(sharedSize + 1);
  const watched = { ...connection, stream: streamIn(sockets), connectionTimeoutMillis: 2_000 };
  const { silenceMs = timeoutMs === 0 ? Number.POSITIVE_INFINITY : timeoutMs + 2_000 } = options;
  const statements = new StatementWatch(Math.ceil(silenceMs / intervalMs));
  const watch = new ConnectionWatch(hosts, watched, {
    onDown() {
      for (const socket of sockets) socket.destroy();
    },
    onBeat: () => statements.beat(),
  });

  const connect = async (from: pg.Pool) => {
    if (!watch.up) throw new UnavailableError('the database cannot be reached');
    try {
      return guardClient(await measured(from, () => connectToAny(from, hosts.count)), statements);
    } catch (error) {
      throw translateSqlError(error);
    }
  };
  const connectInTurn = async () => {
    const user = currentUser.getStore();
    if (user === undefined) return connect(pool);
    const limit = { patienceMs: acquireTimeoutMs, message: 'there are too many requests of this user' };
    const leave = await takeInTime(shares, user, limit);
    try {
      const { query, release } = await connect(pool);
      const releaseAll = () => {
        release();
        leave();
      };
      return { query, release: releaseAll };
    } catch (error) {
      leave();
      throw error;
    }
  };
  const query = async <Row extends object>({ byKey, name, ...rest }: PreparedStatement): Promise<Row[]> => {
    const statement = pooled ? rest : { name, ...rest };
    const client = await (byKey ? connect(keyed) : connectInTurn());
    try {
      return (await client.query(statement)).rows;
    } finally {
      client.release();
    }
  };
  const guardedPool = { connect: connectInTurn, end: () => pool.end(), options: {} } as unknown as PostgresPool;
  const kysely = new Kysely<Tables>({ dialect: new PooledDialect({ pool: guardedPool }) });
  return {
    kysely,
    query,
    get up() {
      return watch.up;
    },
    get waiting() {
      return (keyed.waitingCount + pool.waitingCount) / poolSize;
    },
    async assertWritable() {
      const text = `SELECT current_setting('transaction_read_only')::boolean AS read_only`;
      const [setting] = await query<{ read_only: boolean }>({ name: 'assert-writable', text, values: [] });
      if (setting?.read_only) throw translateSqlError(new ReadOnlyServerError());
    },
    async close() {
      // Kysely ends the pool only if it was used
      const ends = [watch.close(), kysely.destroy(), keyed.end(), pool.end()];
      await within(closeMs, Promise.allSettled(ends));
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * A pool client. If a server refuses the connection, the next one is tried at once; if it does not
 * respond in time, no other is tried.
 */
async function connectToAny(pool: pg.Pool, servers: number): Promise<pg.PoolClient> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await pool.connect();
    } catch (error) {
      if (tries === servers || /timeout/.test(errorMessage(error))) throw error;
    }
  }
}

/** Publishes the waiting time if no connection is free. */
async function measured<T>(pool: pg.Pool, connect: () => Promise<T>): Promise<T> {
  if (!poolWaited.isObserved || pool.idleCount > pool.waitingCount) return connect();
  const askedAt = performance.now();
  const client = await connect();
  poolWaited.publish({ waitMs: performance.now() - askedAt });
  return client;
}

type PoolConfig = pg.PoolConfig & { Client: typeof pg.Client };

/** Creates the sockets of a connection; the open ones are in `sockets`. */
function streamIn(sockets: Set<Socket>): () => Socket {
  return () => {
    const socket = new Socket();
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    return socket;
  };
}

/** A pool whose open sockets are in `sockets`. */
function createPool(sockets: Set<Socket>, config: PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    stream: streamIn(sockets),
    connectionTimeoutMillis: acquireTimeoutMs,
    types: longJsonTypes,
  } as pg.PoolConfig);
  pool.on('error', () => undefined); // an idle connection broke; the pool has already dropped it
  return pool;
}

interface GuardedClient {
  query(query: pg.QueryConfig | string, values?: unknown[]): Promise<pg.QueryResult>;
  release(): void;
}

/**
 * A pool client that reads long JSON in time slices, translates errors, and does not return to the
 * pool once its connection has failed.
 */
function guardClient(client: pg.PoolClient, statements: StatementWatch): GuardedClient {
  let broken = false;
  const onError = () => {
    broken = true;
  };
  client.on('error', onError);
  return {
    async query(query, values) {
      try {
        statements.begin(client);
        const result = await client.query(query as string, values);
        statements.end(client);
        return await inSlices(result);
      } catch (error) {
        statements.end(client);
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

/**
 * Postgres without Kysely's migration lock, which belongs to a session: behind a pooler, another
 * session may run the next statement. `migrateToLatest` locks its transaction instead.
 */
class PooledDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new PooledAdapter();
  }
}

class PooledAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}
