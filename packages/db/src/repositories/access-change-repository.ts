import type { Kysely } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** What has changed since a version; `version` is where to go on from. */
export interface AccessChanges {
  version: string;
  userIds: string[];
}

/** Whose keys, roles or memberships have changed: triggers write it in the transaction of each change. */
export class AccessChangeRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Without a version: where to begin, and nobody. */
  async since(version: string | undefined): Promise<AccessChanges> {
    if (version === undefined) {
      const now = await this.#db.selectFrom('access_version').select('version').executeTakeFirstOrThrow();
      return { version: now.version, userIds: [] };
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
