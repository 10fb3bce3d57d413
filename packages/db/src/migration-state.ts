import { migrations } from './migrations/index.ts';

/** Which migrations of this build have run, by the names in the database. */
export interface MigrationState {
  /** Names that have run but are unknown to this build: a newer release ran them. */
  unknownMigrations: readonly string[];
  /** Names that have not run. */
  pendingMigrations: readonly string[];
}

export function migrationState(names: Iterable<string>, all: object = migrations): MigrationState {
  const ran = new Set(names);
  return {
    unknownMigrations: [...ran].filter((name) => !Object.hasOwn(all, name)).sort(),
    pendingMigrations: Object.keys(all).filter((name) => !ran.has(name)),
  };
}

/** A newer release has migrated the database: this build cannot bring it up to date. */
export class NewerDatabaseError extends Error {
  constructor(unknown: readonly string[]) {
    const others = unknown.length > 1 ? ` and ${unknown.length - 1} more` : '';
    super(
      `a newer release has migrated this database (this one does not know ${unknown.at(-1)}${others}): start that release, or restore a backup of this one (docs/operations.md, "Downgrading")`,
    );
    this.name = 'NewerDatabaseError';
  }
}
