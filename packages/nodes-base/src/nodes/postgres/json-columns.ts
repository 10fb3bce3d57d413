import { stringOf } from '../../shared/coerced-text.ts';
import type { SqlSession } from '../../shared/sql/sql-dialect.ts';

const query = `SELECT column_name FROM information_schema.columns
  WHERE table_schema = $1 AND table_name = $2 AND udt_name IN ('json', 'jsonb')`;

const columnsBySession = new WeakMap<SqlSession, Map<string, ReadonlySet<string>>>();

/** Names of a table's `json` and `jsonb` columns; queried once per connection. */
export async function jsonColumns(
  session: SqlSession,
  { schema, table }: { schema: string; table: string },
): Promise<ReadonlySet<string>> {
  const tables = columnsBySession.get(session) ?? new Map<string, ReadonlySet<string>>();
  columnsBySession.set(session, tables);
  const key = JSON.stringify([schema, table]);
  const names = tables.get(key) ?? (await read(session, schema, table));
  tables.set(key, names);
  return names;
}

async function read(session: SqlSession, schema: string, table: string): Promise<ReadonlySet<string>> {
  const results = await session.run({ text: query, values: [schema, table] });
  return new Set(results.flatMap(({ rows }) => rows.map((row) => stringOf(row['column_name']))));
}
