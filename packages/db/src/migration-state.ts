import { migrations } from './migrations/index.ts';

/** Which migrations of this build have run, by the names in the database. */
export interface MigrationState {
  /**
   * Names that have run but are unknown to this build: a newer release ran them, or a pre-release
   * version.
   */
  unknownMigrations: readonly string[];
  /**
   * Whether a version before the first release created the database. Its migrations no longer
   * exist.
   */
  isPreRelease: boolean;
  /** Names that have not run. */
  pendingMigrations: readonly string[];
}

/** Has run in every database of a pre-release version. */
const preRelease = '20261120T1000-create-tables';

export function migrationState(names: Iterable<string>, all: object = migrations): MigrationState {
  const ran = new Set(names);
  return {
    isPreRelease: ran.has(preRelease),
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

/** A version before the first release created the database. */
export class PreReleaseDatabaseError extends Error {
  constructor() {
    super('a pre-release version created this database: start with an empty one (DATABASE_URL, or SLUICE_HOME of `sluice up`)');
    this.name = 'PreReleaseDatabaseError';
  }
}
