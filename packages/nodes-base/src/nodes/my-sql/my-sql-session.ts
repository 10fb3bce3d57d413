import { type ExecuteContext, errorMessage, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import type { Connection, FieldPacket, ResultSetHeader } from 'mysql2';
import type { Connection as PromiseConnection } from 'mysql2/promise';
import { openMySql } from '../../clients/my-sql-client.ts';
import { ByteBudget, meterStream, type ReadStream, rowBytes } from '../../shared/byte-budget.ts';
import { connectionFailed } from '../../shared/connection-failed.ts';
import { setOwn } from '../../shared/field-path.ts';
import { isLostConnection, lostConnection } from '../../shared/lost-connection.ts';
import { type DeferredField, DeferredValue, setDeferred } from '../../shared/sql/deferred-value.ts';
import type { SqlResult, SqlSession, SqlStatement } from '../../shared/sql/sql-dialect.ts';
import { toJson } from '../../shared/to-json.ts';

export interface MySqlOptions {
  connectTimeoutMs: number;
  /** `text`: unsafe integers are text; `numbers`: all integers are numbers. */
  largeNumbers: 'text' | 'numbers';
  /** Whether `DECIMAL` is a number rather than text. */
  decimalNumbers: boolean;
}

/** Timeout for a request to end a query, in milliseconds. */
const cancelTimeoutMs = 5_000;

/**
 * One connection for a node run. When the signal fires, the running query is killed on the server,
 * and the connection is destroyed.
 */
export async function openMySqlSession(context: ExecuteContext, options: MySqlOptions): Promise<SqlSession> {
  const { escapeId } = await import('mysql2');
  const data = await context.credentials('mySql', 0);
  const opened = await openMySql(data, context, context.signal, {
    timeoutMs: options.connectTimeoutMs,
    supportBigNumbers: options.largeNumbers === 'text',
    decimalNumbers: options.decimalNumbers,
    timezone: 'Z',
    multipleStatements: true,
  }).catch((error: unknown) => {
    context.signal.throwIfAborted();
    throw connectionFailed(error, 'MySQL');
  });
  const reader = new MySqlReader(coreOf(opened), data['ssl'] === true);
  let canceling: Promise<void> | undefined;
  const cancel = () => {
    canceling = killQuery(context, data, reader.threadId);
  };
  context.signal.addEventListener('abort', cancel, { once: true });
  return {
    dialect: { placeholder: () => '?', quoteName: (name) => escapeId(name, true), dollarQuotes: false, backslashes: true },
    run: (statement) => reader.run(statement),
    async close() {
      context.signal.removeEventListener('abort', cancel);
      await canceling;
      reader.destroy();
    },
  };
}

/** The library's promises buffer all rows; its core connection emits them one by one. */
function coreOf(opened: PromiseConnection): Connection {
  return (opened as PromiseConnection & { connection: Connection }).connection;
}

/**
 * Never throws: if the server is unreachable, it notices the closed connection at its next write.
 */
async function killQuery(context: ExecuteContext, data: JsonObject, threadId: number): Promise<void> {
  try {
    const killer = await openMySql(data, context, AbortSignal.timeout(cancelTimeoutMs), { timeoutMs: cancelTimeoutMs });
    try {
      await killer.query(`KILL QUERY ${threadId}`);
    } finally {
      killer.destroy();
    }
  } catch {
    // The server then notices the closed connection.
  }
}

/** Runs statements one after another, within the byte budget of a node run. */
class MySqlReader {
  readonly #connection: Connection;
  readonly #failed: Promise<never>;
  readonly #budget: ByteBudget;

  constructor(connection: Connection, isSecure: boolean) {
    const { promise: failed, reject } = Promise.withResolvers<never>();
    failed.catch(() => {});
    this.#connection = connection;
    this.#failed = failed;
    this.#budget = new ByteBudget((error) => {
      reject(error);
      connection.destroy();
    });
    // A broken connection emits an error, but does not reject the pending statement.
    connection.on('error', (error) => reject(toNodeError(error)));
    // With TLS, the bytes are not visible; only the server's `max_allowed_packet` then limits a
    // single row.
    if (!isSecure) meterStream((connection as Connection & { stream: ReadStream }).stream).catch(reject);
  }

  get threadId(): number {
    return this.#connection.threadId;
  }

  run(statement: SqlStatement): Promise<SqlResult[]> {
    return Promise.race([this.#failed, this.#results(statement)]);
  }

  destroy(): void {
    this.#connection.destroy();
  }

  #results({ text, values }: SqlStatement): Promise<SqlResult[]> {
    const { promise, resolve, reject } = Promise.withResolvers<SqlResult[]>();
    const results: { rows: JsonObject[]; summary?: JsonObject }[] = [];
    const deferred: DeferredField[] = [];
    let names: readonly string[] = [];
    const options = { sql: text, rowsAsArray: true };
    const command =
      values.length > 0
        ? this.#connection.execute({ ...options, values: values.map(toParameter) })
        : this.#connection.query(options);
    command.on('fields', (fields: FieldPacket[] | undefined) => {
      names = (fields ?? []).map(({ name }) => name);
      if (fields) results.push({ rows: [] });
    });
    command.on('result', (result: readonly unknown[] | ResultSetHeader) => {
      try {
        if (Array.isArray(result)) results.at(-1)?.rows.push(this.#rowToJson(result, names, deferred));
        else results.push({ rows: [], summary: summaryOf(result as ResultSetHeader) });
      } catch (error) {
        reject(error);
      }
    });
    command.on('error', (error) => reject(toNodeError(error)));
    command.on('end', () => setDeferred(deferred).then(() => resolve(results), reject));
    return promise;
  }

  #rowToJson(row: readonly unknown[], names: readonly string[], deferred: DeferredField[]): JsonObject {
    const json: JsonObject = {};
    this.#budget.spend(rowBytes);
    for (const [index, name] of names.entries()) {
      const cell = row[index];
      if (cell instanceof DeferredValue) {
        this.#budget.spend(name.length + cell.length);
        deferred.push({ row: json, name, value: cell });
        // Keeps the column order.
        setOwn(json, name, null);
      } else {
        const value = toJson(cell);
        this.#budget.spend(name.length + sizeOf(value));
        setOwn(json, name, value);
      }
    }
    return json;
  }
}

function sizeOf(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? JSON.stringify(value).length : 8;
}

/** Converts lists to JSON, since MySQL has no list type. */
function toParameter(value: JsonValue): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** The server's counts for a data change, without protocol fields. */
function summaryOf(header: ResultSetHeader): JsonObject {
  const { fieldCount, affectedRows, insertId, info, warningStatus } = header;
  return { fieldCount, affectedRows, insertId, info, warningStatus };
}

/** Drops the statement that the library adds to its errors, since it contains item values. */
function toNodeError(error: Error & { code?: unknown; sqlMessage?: unknown }): NodeOperationError {
  if (isLostConnection(error)) return lostConnection(error);
  const message = typeof error.sqlMessage === 'string' && error.sqlMessage !== '' ? error.sqlMessage : errorMessage(error);
  const details = typeof error.code === 'string' ? { code: error.code } : undefined;
  return new NodeOperationError(message, {
    details,
    cause: error,
    description: 'Check the statement and the values from the items',
  });
}
