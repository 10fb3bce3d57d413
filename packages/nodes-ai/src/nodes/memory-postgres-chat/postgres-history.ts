import type { ChatHistory, ExecuteContext, JsonValue } from '@sluice/node-sdk';
import { openPostgresSession } from '@sluice/nodes-base/node-tools';
import { jsonbText } from '../../shared/jsonb-text.ts';
import { quotedTable, sqlStateOf } from '../../shared/quoted-table.ts';
import { readMessages, writtenMessage } from '../../shared/stored-messages.ts';

type Session = Awaited<ReturnType<typeof openPostgresSession>>;

/** Maximum number of messages that are read if all are requested. */
const maxMessages = 1_000;
const undefinedTable = '42P01';
/** Another session has created the table in the meantime: the table name or its row type exists. */
const isThere = ['23505', '42710', '42P07'];

/**
 * The conversation of a session in a table with the columns of LangChain's history. Connects for
 * each call.
 */
export function postgresHistory(context: ExecuteContext, tableName: string, session: string): ChatHistory {
  const withTable = async <T>(use: (run: Run, table: string) => Promise<T>): Promise<T> => {
    const database = await openPostgresSession(context, { connectTimeoutMs: 10_000, largeNumbers: 'numbers' });
    try {
      const run: Run = (text, values = []) => rowsOf(database, text, values);
      return await use(run, quotedTable(tableName, database.dialect.quoteName));
    } finally {
      await database.close();
    }
  };
  return {
    load: (limit = maxMessages) =>
      withTable(async (run, table) => {
        const newest = `SELECT id, message FROM ${table} WHERE session_id = $1 ORDER BY id DESC LIMIT $2`;
        const rows = await unlessMissing(run(newest, [session, limit]), []);
        return readMessages(rows.toReversed().map((row) => row['message'] ?? null));
      }),
    append: (messages) =>
      withTable(async (run, table) => {
        const written = jsonbText(messages.map(writtenMessage));
        const insert = `INSERT INTO ${table} (session_id, message)
          SELECT $1, value FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY ORDER BY ordinality`;
        const add = () => run(insert, [session, written]);
        if ((await unlessMissing(add(), null)) !== null) return;
        await createTable(run, table);
        await add();
      }),
    clear: (last) =>
      withTable(async (run, table) => {
        const newest = `SELECT id FROM ${table} WHERE session_id = $1 ORDER BY id DESC`;
        const all = `DELETE FROM ${table} WHERE session_id = $1`;
        const deleted =
          last === undefined ? run(all, [session]) : run(`${all} AND id IN (${newest} LIMIT $2)`, [session, last]);
        await unlessMissing(deleted, []);
      }),
  };
}

type Row = { [column: string]: JsonValue };
type Run = (text: string, values?: JsonValue[]) => Promise<readonly Row[]>;

async function rowsOf(database: Session, text: string, values: JsonValue[]): Promise<readonly Row[]> {
  const [result] = await database.run({ text, values });
  return (result?.rows ?? []) as readonly Row[];
}

async function createTable(run: Run, table: string): Promise<void> {
  const columns = 'id SERIAL PRIMARY KEY, session_id VARCHAR(255) NOT NULL, message JSONB NOT NULL';
  try {
    await run(`CREATE TABLE IF NOT EXISTS ${table} (${columns})`);
  } catch (error) {
    if (!isThere.includes(sqlStateOf(error))) throw error;
  }
}

async function unlessMissing<T, U>(result: Promise<T>, instead: U): Promise<T | U> {
  try {
    return await result;
  } catch (error) {
    if (sqlStateOf(error) === undefinedTable) return instead;
    throw error;
  }
}
