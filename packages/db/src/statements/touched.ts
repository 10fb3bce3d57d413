import { type RawBuilder, sql } from 'kysely';

/**
 * New `updated_at` of an update: always later than the old value, so that no two states share an
 * entity tag.
 */
export const touched: RawBuilder<Date> = laterThan(sql.ref('updated_at'));

/**
 * The same in `ON CONFLICT … DO UPDATE`, where the bare name would be ambiguous with the row to be
 * inserted.
 */
export function touchedIn(table: string): RawBuilder<Date> {
  return laterThan(sql.ref(`${table}.updated_at`));
}

function laterThan(column: RawBuilder<unknown>): RawBuilder<Date> {
  return sql<Date>`greatest(clock_timestamp(), ${column} + interval '1 microsecond')`;
}
