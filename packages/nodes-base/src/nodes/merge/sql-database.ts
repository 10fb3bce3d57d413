import { type Item, type JsonObject, type JsonValue, NodeOperationError, ownProperty } from '@sluice/node-sdk';
import type { BindParams, Database, SqlValue } from 'sql.js';
import { MergedItems } from './merged-items.ts';
import { tracedStatement } from './sql-sources.ts';
import type { BoundStatement } from './sql-statements.ts';

/**
 * Maximum memory for SQLite's tables, sorting, and values, in bytes. A query cannot raise the
 * limit.
 */
const maxMemory = 128 * 1024 * 1024;
/** Maximum number of characters in all result rows. */
const maxResult = 64 * 1024 * 1024;

export interface SqlRow {
  json: JsonObject;
  /** Source table rows, as `[input, item]`. Absent: unknown. */
  sources?: [number, number][];
}

/**
 * Declared column types. SQLite derives from the words in them how to compare and convert values:
 * not at all for `BLOB`.
 */
type ColumnType = 'NUMERIC' | 'TEXT' | 'BOOLEAN' | 'JSON BLOB' | 'BLOB';

/**
 * SQLite in memory, with the tables `input1`, `input2`, …. It has no file access, and queries can
 * only read. Runs on a work thread: only ending the thread ends a query.
 */
export class SqlDatabase {
  readonly #database: Database;
  /** Strings of nested values, which are returned as values again. */
  readonly #nested = new Map<string, JsonValue>();
  readonly #emptyTables: string[] = [];
  #length = 0;
  #count = 0;

  private constructor(database: Database) {
    this.#database = database;
    // Temporary tables are subject to the memory limit; files of the virtual file system would not
    // be.
    for (const setting of ['temp_store = MEMORY', `hard_heap_limit = ${maxMemory}`]) database.run(`PRAGMA ${setting}`);
  }

  static async open(): Promise<SqlDatabase> {
    const { default: initialize } = await import('sql.js');
    return new SqlDatabase(new (await initialize()).Database());
  }

  close(): void {
    this.#database.close();
  }

  /** Throws a `NodeOperationError` for fields that SQL does not distinguish. */
  addTable(name: string, items: readonly Item[]): void {
    const columns = columnsOf(name, items);
    if (items.length === 0) this.#emptyTables.push(name);
    const written = [...columns].map(([column, type]) => `${quoted(column)} ${type}`);
    // A table needs a column; `result` drops this one.
    this.#database.run(`CREATE TEMP TABLE ${name} (${written.length > 0 ? written.join(', ') : `${quoted(noColumn)} BLOB`})`);
    const names = [...columns.keys()];
    const insert = this.#database.prepare(`INSERT INTO ${name} VALUES (${(names.length > 0 ? names : ['']).map(() => '?')})`);
    for (const { json } of items)
      insert.run(names.length > 0 ? names.map((column) => this.#stored(ownProperty(json, column))) : [null]);
    insert.free();
  }

  /** The rows of a statement, which must be a query. Throws SQLite's error. */
  query(statement: BoundStatement, traces: boolean): SqlRow[] {
    const types = this.#columnTypes(statement);
    const traced = traces ? tracedStatement(statement.text) : undefined;
    if (!traced) return this.#rows(statement.text, statement, types, []);
    try {
      this.#database.prepare(traced.text).free();
    } catch {
      return this.#rows(statement.text, statement, types, undefined);
    }
    return this.#rows(traced.text, statement, types, traced.inputs);
  }

  #rows(text: string, { values }: BoundStatement, types: readonly string[], inputs: readonly number[] | undefined): SqlRow[] {
    const prepared = this.#database.prepare(text);
    const rows: SqlRow[] = [];
    try {
      prepared.bind(values.map((value) => this.#stored(value)) as BindParams);
      const names = prepared.getColumnNames().slice(0, types.length);
      while (prepared.step()) {
        const row = prepared.get();
        this.#admit(row);
        const json = this.#json(names, row, types);
        const sources = inputs?.flatMap((input, index): [number, number][] => {
          const id = row[types.length + index];
          return typeof id === 'number' ? [[input, id - 1]] : [];
        });
        rows.push({ json, ...(sources && sources.length > 0 && { sources }) });
      }
      return rows;
    } finally {
      prepared.free();
    }
  }

  /**
   * Declared types of the result's columns; empty for computed columns. SQLite reports them for a
   * view, which only a query can define, so any other statement is refused here. A column that the
   * query expects in an input without items is added.
   */
  #columnTypes({ text }: BoundStatement): string[] {
    const view = text.replace(/\?\d+/g, 'NULL');
    for (let attempts = 0; ; attempts++) {
      try {
        this.#database.run('PRAGMA query_only = OFF');
        this.#runFirst(`CREATE TEMP VIEW ${viewName} AS ${view}`);
        const [info] = this.#database.exec(`PRAGMA table_info(${viewName})`);
        return (info?.values ?? []).map((row) => `${row[2] ?? ''}`);
      } catch (error) {
        if (attempts >= maxAddedColumns || !this.#addMissingColumn(error)) throw error;
      } finally {
        this.#database.run(`DROP VIEW IF EXISTS ${viewName}`);
        this.#database.run('PRAGMA query_only = ON');
      }
    }
  }

  /** `run` would also run the statements after the first. */
  #runFirst(text: string): void {
    const prepared = this.#database.prepare(text);
    try {
      prepared.step();
    } finally {
      prepared.free();
    }
  }

  #addMissingColumn(error: unknown): boolean {
    const missing = /^no such column: (?:(.+)\.)?([^.]+)$/s.exec(error instanceof Error ? error.message : '');
    if (!missing) return false;
    const [, table, column = ''] = missing;
    const tables = table === undefined ? this.#emptyTables.slice(0, 1) : this.#emptyTables;
    let added = false;
    for (const name of tables) {
      try {
        this.#database.run(`ALTER TABLE temp.${name} ADD COLUMN ${quoted(column)} BLOB`);
        added = true;
      } catch {
        // The table has the column: another table lacks it.
      }
    }
    return added;
  }

  #stored(value: JsonValue | undefined): SqlValue {
    if (value === undefined || value === null) return null;
    if (typeof value === 'boolean') return Number(value);
    if (typeof value !== 'object') return value;
    const text = JSON.stringify(value);
    this.#nested.set(text, value);
    return text;
  }

  /** If several columns have the same name, the last non-null value wins. */
  #json(names: readonly string[], row: readonly SqlValue[], types: readonly string[]): JsonObject {
    const fields = new Map<string, JsonValue>();
    for (const [index, name] of names.entries()) {
      if (name === noColumn) continue;
      const value = this.#value(row[index] ?? null, types[index] ?? '');
      if (value !== null || !fields.has(name)) fields.set(name, value);
    }
    return Object.fromEntries(fields);
  }

  #value(value: SqlValue, type: string): JsonValue {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
    if (type === 'BOOLEAN' && (value === 0 || value === 1)) return value === 1;
    if (type === 'JSON BLOB' && typeof value === 'string') return this.#nested.get(value) ?? value;
    return typeof value === 'number' && !Number.isFinite(value) ? null : value;
  }

  /** Throws if the results are too large. */
  #admit(row: readonly SqlValue[]): void {
    MergedItems.refuseMoreThanMax(++this.#count);
    for (const value of row) this.#length += typeof value === 'string' ? value.length : 8;
    if (this.#length <= maxResult) return;
    throw new NodeOperationError(`the query returns more than ${maxResult / 1024 / 1024} MiB of rows`, {
      description: 'Select fewer columns, or limit the rows',
    });
  }
}

const viewName = '__query';
const noColumn = '__none';
const maxAddedColumns = 100;

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * The fields of all items. A column whose values are all of one kind has the type that compares and
 * returns them as that kind.
 */
function columnsOf(table: string, items: readonly Item[]): Map<string, ColumnType> {
  const types = new Map<string, Set<ColumnType>>();
  const names = new Map<string, string>();
  for (const { json } of items) {
    for (const [name, value] of Object.entries(json)) {
      const columnTypes = types.get(name) ?? new Set();
      if (!types.has(name)) refuseTwin(table, names, name);
      types.set(name, columnTypes);
      if (value !== null && value !== undefined) columnTypes.add(typeOf(value));
    }
  }
  return new Map([...types].map(([name, columnTypes]) => [name, commonType(columnTypes)]));
}

function commonType(types: ReadonlySet<ColumnType>): ColumnType {
  if (types.has('JSON BLOB')) return 'JSON BLOB';
  const [type = 'BLOB', ...others] = types;
  return others.length > 0 ? 'BLOB' : type;
}

function typeOf(value: JsonValue): ColumnType {
  switch (typeof value) {
    case 'number':
      return 'NUMERIC';
    case 'boolean':
      return 'BOOLEAN';
    case 'string':
      return 'TEXT';
    default:
      return 'JSON BLOB';
  }
}

function refuseTwin(table: string, names: Map<string, string>, name: string): void {
  const key = name.toLowerCase();
  const other = names.get(key);
  names.set(key, name);
  if (other === undefined) return;
  throw new NodeOperationError(`${table} has the fields "${other}" and "${name}", which SQL does not distinguish`, {
    description: 'Rename or remove one of them before the Merge node',
  });
}
