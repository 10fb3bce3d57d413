import type { Compilable } from 'kysely';
import type { PreparedStatement } from '../connection/database.ts';
import { binaryArray } from './binary-array.ts';

/** A named parameter of a statement: its SQL in the text, and the values to send for it. */
export interface Parameter<Input> {
  /** Number of values. */
  count: number;
  /** SQL that refers to the values `$first`, `$first + 1`, … */
  sql: (first: number) => string;
  values: (input: Input) => unknown[];
}

/** Column name → its Postgres type, and its value in a row. */
export type Columns<Row> = Record<string, readonly [type: string, read: (row: Row) => unknown]>;

/** One value. `type`: its Postgres type, if the text does not imply it. */
export function value<Input>(type?: string): Parameter<Input> {
  return { count: 1, sql: (first) => `$${first}${type ? `::${type}` : ''}`, values: (input) => [input] };
}

/**
 * Any number of rows, sent as one array per column: `unnest($1::bigint[], …) AS alias (id, …)`.
 * `ordinality`: name of a last column with the position of the row, from 1.
 */
export function rows<Row>(alias: string, columns: Columns<Row>, ordinality?: string): Parameter<readonly Row[]> {
  const declared = Object.values(columns);
  const names = [...Object.keys(columns), ...(ordinality ? [ordinality] : [])].join(', ');
  return {
    count: declared.length,
    sql: (first) => {
      const arrays = declared.map(([type], i) => `$${first + i}::${type}[]`).join(', ');
      return `unnest(${arrays})${ordinality ? ' WITH ORDINALITY' : ''} AS ${alias} (${names})`;
    },
    values: (input) =>
      declared.map(([type, read]) =>
        binaryArray(
          type,
          input.map((row) => read(row)),
        ),
      ),
  };
}

/**
 * The row of a table with this key, for each preceding row in `FROM`: `JOIN ${keyed('triggers', 'id
 * = r.trigger_id')} t ON true`. A plain join may read the whole index, if the table was empty when
 * Postgres last analyzed it.
 */
export function keyed(table: string, condition: string): string {
  return `LATERAL (SELECT * FROM ${table} WHERE ${condition} OFFSET 0)`;
}

type InputOf<P> = P extends Parameter<infer Input> ? Input : never;

interface Declaration<Parameters> {
  name: string;
  byKey?: true;
  parameters: Parameters;
  /** Receives the SQL of each parameter. Each must be used at least once. */
  text: (sql: Record<keyof Parameters, string>) => string;
}

/**
 * A statement with named parameters. Its text is built once, so it is the same for all values and
 * is prepared once per connection.
 */
export function statement<Parameters extends Record<string, Parameter<never>>>({
  name,
  byKey,
  parameters,
  text,
}: Declaration<Parameters>): (input: { [Name in keyof Parameters]: InputOf<Parameters[Name]> }) => PreparedStatement {
  const entries = Object.entries(parameters);
  const placeholders: Record<string, string> = {};
  let first = 1;
  for (const [key, parameter] of entries) {
    placeholders[key] = parameter.sql(first);
    first += parameter.count;
  }
  const built = text(placeholders as Record<keyof Parameters, string>);
  return (input) => ({
    name,
    text: built,
    values: entries.flatMap(([key, parameter]) => parameter.values(input[key] as never)),
    ...(byKey && { byKey }),
  });
}

/**
 * A Kysely query for the rows of one key, as a statement of that key: it is built once, and planned
 * once per connection. The key must be the query's only parameter.
 */
export function selectByKey(name: string, query: Compilable): (key: unknown) => PreparedStatement {
  const { sql: text, parameters } = query.compile();
  if (parameters.length !== 1) throw new Error(`statement ${name} has ${parameters.length} parameters instead of one`);
  return (key) => ({ name, text, values: [key], byKey: true });
}
