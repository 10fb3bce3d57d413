import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Changes since a version; pass `version` to the next call. */
export interface AccessChanges {
  version: string;
  userIds: string[];
}

/**
 * Users whose keys, roles, or memberships have changed. Triggers record each change in its own
 * transaction.
 */
export class AccessChangeRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Without a version: the current version, and no users. */
  async since(version: string | undefined): Promise<AccessChanges> {
    if (version === undefined) {
      const current = await this.#db.selectFrom('access_version').select('version').executeTakeFirstOrThrow();
      return { version: current.version, userIds: [] };
    }
    const rows = await this.#db
      .selectFrom('access_changes')
      .select(['user_id', 'version'])
      .where('version', '>', version)
      .orderBy('version')
      .execute();
    return { version: rows.at(-1)?.version ?? version, userIds: rows.map((row) => row.user_id) };
  }
}
