import type { AnyMigration } from '../index-migration.ts';
import * as createSchema from './0000-create-schema.ts';

/** Every migration, by name; they run in the order of the names. */
export const migrations: Record<string, AnyMigration> = {
  '0000-create-schema': createSchema,
};
