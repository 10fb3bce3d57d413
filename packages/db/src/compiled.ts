import { CompiledQuery } from 'kysely';

/** A statement whose text is a constant of the file that it stands in, to be run in a transaction. Values are parameters, always. */
export function compiled<Row>({ text, values }: { text: string; values: readonly unknown[] }): CompiledQuery<Row> {
  return CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;
}
