import type { Migration } from 'kysely/migration';
import * as createTables from './20261120T1000-create-tables.ts';

/** Every migration, by name; they run in the order of the names. */
export const migrations: Record<string, Migration> = {
  '20261120T1000-create-tables': createTables,
};
