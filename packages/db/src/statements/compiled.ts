import { CompiledQuery, type RawBuilder, sql } from 'kysely';

/**
 * A statement to run in a transaction. Its text is a constant of the calling file; values are
 * always parameters.
 */
export function compiled<Row>({ text, values }: { text: string; values: readonly unknown[] }): CompiledQuery<Row> {
  return CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;
}

/** Part of a statement: a constant that other statements contain as text. */
export function constantSql(text: string): RawBuilder<unknown> {
  return sql.raw(text);
}
