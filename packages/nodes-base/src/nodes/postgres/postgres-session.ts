import {
  type ExecuteContext,
  errorMessage,
  isNodeOperationError,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import type { Client, FieldDef } from 'pg';
import { cancelPostgres, openPostgres } from '../../clients/postgres-client.ts';
import { ByteBudget, type ReadStream, rowBytes } from '../../shared/byte-budget.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { setOwn } from '../../shared/field-path.ts';
import { isLostConnection, lostConnection } from '../../shared/lost-connection.ts';
import { type DeferredField, DeferredValue, setDeferred } from '../../shared/sql/deferred-value.ts';
import type { SqlResult, SqlSession, SqlStatement } from '../../shared/sql/sql-dialect.ts';
import { toJson } from '../../shared/to-json.ts';
import { postgresTypes } from './postgres-types.ts';

export interface PostgresOptions {
  connectTimeoutMs: number;
  largeNumbers: 'text' | 'numbers';
}

type Types = ReturnType<typeof postgresTypes>;

/** Timeout for closing the session, in milliseconds. */
const closeTimeoutMs = 2_000;

/**
 * One connection for a node run. When the signal fires, the running query is canceled on the
 * server, and the connection is destroyed.
 */
export async function openPostgresSession(context: ExecuteContext, options: PostgresOptions): Promise<SqlSession> {
  const { default: pg } = await import('pg');
  const data = await context.credentials('postgres', 0);
  const client = await openPostgres(data, context, context.signal, options.connectTimeoutMs).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw connectionFailed(error, 'Postgres');
  });
  let canceling: Promise<void> | undefined;
  const cancel = () => {
    canceling = cancelPostgres(data, context, client);
  };
  context.signal.addEventListener('abort', cancel, { once: true });
  const budget = meteredStream(client);
  const types = postgresTypes(pg.types.getTypeParser, options.largeNumbers);
  return {
    dialect: {
      placeholder: (position) => `$${position}`,
      quoteName: pg.escapeIdentifier,
      dollarQuotes: true,
      backslashes: false,
    },
    run: (statement) => runStatement(client, new pg.Query({ ...queryOf(statement, types), rowMode: 'array' } as never), budget),
    async close() {
      context.signal.removeEventListener('abort', cancel);
      await canceling;
      await endWithin(client, closeTimeoutMs);
    },
  };
}

/** Counts bytes as they arrive: a single value may exceed the budget. */
function meteredStream(client: Client): ByteBudget {
  const { stream } = client.connection as Client['connection'] & {
    stream: NodeJS.ReadableStream & { destroy(error: Error): void };
  };
  const budget = new ByteBudget((error) => stream.destroy(error));
  stream.on('data', (chunk) => budget.spend(chunk.length));
  return budget;
}

function queryOf({ text, values }: SqlStatement, types: Types) {
  return { text, types, ...(values.length > 0 && { values: values.map(toParameter) }) };
}

/** The library converts objects to JSON and lists to Postgres arrays. */
function toParameter(value: JsonValue): unknown {
  return Array.isArray(value) && value.some((member) => typeof member === 'object' && member !== null && !Array.isArray(member))
    ? JSON.stringify(value)
    : value;
}

type QueryEvents = InstanceType<typeof import('pg')['Query']>;
/** A row in array mode. */
type Row = readonly unknown[];
interface Result {
  fields: readonly FieldDef[];
}

/** Processes rows one by one, so that no more than the budget is buffered. */
function runStatement(client: Client, query: QueryEvents, budget: ByteBudget): Promise<SqlResult[]> {
  const { promise, resolve, reject } = Promise.withResolvers<SqlResult[]>();
  const rows = new Map<Result, JsonObject[]>();
  const deferred: DeferredField[] = [];
  query.on('row', (rawRow, about) => {
    const [row, result] = [rawRow as Row, about as unknown as Result];
    const list = rows.get(result) ?? [];
    rows.set(result, list);
    try {
      list.push(rowToJson(row, result.fields, { budget, deferred }));
    } catch (error) {
      reject(error);
    }
  });
  query.on('error', (error: Error) => reject(toNodeError(error)));
  query.on('end', (rawResults) => {
    const results = [rawResults].flat() as unknown as Result[];
    setDeferred(deferred).then(() => resolve(results.map((result) => ({ rows: rows.get(result) ?? [] }))), reject);
  });
  client.query(query);
  return promise;
}

/** Counts the row itself and column names too, since each row repeats the names. */
function rowToJson(
  row: Row,
  fields: readonly FieldDef[],
  { budget, deferred }: { budget: ByteBudget; deferred: DeferredField[] },
): JsonObject {
  const json: JsonObject = {};
  budget.spend(rowBytes);
  for (const [index, { name }] of fields.entries()) {
    budget.spend(name.length);
    const value = row[index];
    if (value instanceof DeferredValue) deferred.push({ row: json, name, value });
    // Keeps the column order.
    setOwn(json, name, value instanceof DeferredValue ? null : toJson(value));
  }
  return json;
}

/** Reads details from the server's separate fields; its message does not repeat the statement. */
function toNodeError(error: Error & { code?: unknown; detail?: unknown; hint?: unknown }): NodeOperationError {
  if (isNodeOperationError(error)) return error;
  if (isLostConnection(error)) return lostConnection(error);
  const code = typeof error.code === 'string' ? error.code : undefined;
  const details = [error.detail, error.hint, hints.get(code ?? '')].filter((text) => typeof text === 'string' && text !== '');
  return new NodeOperationError(errorMessage(error), {
    ...(details.length > 0 && { description: details.join('; ') }),
    ...(code !== undefined && { details: { code } }),
    cause: error,
  });
}

const hints: ReadonlyMap<string, string> = new Map([
  ['42P18', 'Add a type to the parameter: $1::text'],
  ['42P02', 'Values for $1, $2, … come from the option "Query Parameters"'],
  ['25001', 'The statement cannot run in a transaction: set the option "Query Batching" to "Independently"'],
]);

async function endWithin(client: Client, timeoutMs: number): Promise<void> {
  const { stream } = client.connection as Client['connection'] & { stream: ReadStream };
  // Does not wait for a slow server to close, and does not keep the process alive.
  const timer = setTimeout(() => stream.destroy(), timeoutMs).unref();
  await client.end().catch(() => {});
  clearTimeout(timer);
}
