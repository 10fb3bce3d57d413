import { Socket } from 'node:net';
import { inTime, UnavailableError } from '@sluice/domain';
import pg from 'pg';
import { parseDatabaseUrl } from './connection/database-address.ts';
import { type MigrationState, migrationState } from './migration-state.ts';

/** Facts about a database server and its schema, for checks at startup. */
export interface DatabaseFacts extends MigrationState {
  /** Version of Postgres as a number: 150004 is 15.4. */
  serverVersion: number;
  /**
   * Milliseconds by which the clock of the database is ahead of this process; negative if behind.
   */
  clockAheadMs: number;
}

interface ProbeOptions {
  /** Whether the server may be read-only. */
  allowStandby?: boolean;
}

/**
 * Together with the process startup, less than the five seconds within which a start must fail. The
 * library's timers are not used, because they also count the time in which the process loads its
 * modules.
 */
const timeoutMs = 3_000;

/**
 * Connects to the servers of a URL at the same time and queries the first one that responds. Throws
 * `UnavailableError` within five seconds; its message has a line for each server, with host, port,
 * and cause.
 */
export async function probeDatabase(url: string, options: ProbeOptions = {}): Promise<DatabaseFacts> {
  const { urls } = parseDatabaseUrl(url, options);
  const attempts = urls.map((server) => probeServer(server, options));
  try {
    return await Promise.any(attempts);
  } catch (error) {
    const reasons = (error as AggregateError).errors as Error[];
    throw new UnavailableError(reasons.map(({ message }) => message).join('\n'), error);
  }
}

async function probeServer(connectionString: string, options: ProbeOptions): Promise<DatabaseFacts> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString, stream: () => socket, application_name: 'sluice-check' });
  client.on('error', () => undefined); // the promises below fail too
  const { host, port, database } = client;
  const address = host.startsWith('/') ? `the socket ${host}/.s.PGSQL.${port}` : `${host}:${port}`;
  const server = database === undefined ? address : `${address} (database "${database}")`;
  try {
    const facts = client.connect().then(() => readFacts(client, options));
    return await inTime(facts, timeoutMs);
  } catch (error) {
    socket.destroy();
    throw new Error(`Postgres at ${server} cannot be used: ${causeOf(error)}`, { cause: error });
  } finally {
    void client.end().catch(() => undefined);
  }
}

async function readFacts(client: pg.Client, { allowStandby = false }: ProbeOptions): Promise<DatabaseFacts> {
  const sentAt = Date.now();
  const { rows } = await client.query<{ now: string; version: string; standby: string; migrated: boolean }>(
    `SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now, current_setting('server_version_num') AS version,
       current_setting('transaction_read_only') AS standby, to_regclass('kysely_migration') IS NOT NULL AS migrated`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('it returned nothing');
  if (!allowStandby && row.standby === 'on') throw new Error('it accepts no writes');
  const between = (sentAt + Date.now()) / 2;
  const done = row.migrated
    ? (await client.query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')).rows
    : [];
  return {
    serverVersion: Number(row.version),
    clockAheadMs: Math.round(Number(row.now) - between),
    ...migrationState(done.map(({ name }) => name)),
  };
}

/** `localhost` may resolve to several addresses, each with its own error. */
function causeOf(error: unknown): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(causeOf))].join(', ');
  const { code, message } = error as { code?: string; message?: string };
  return message || code || String(error);
}
