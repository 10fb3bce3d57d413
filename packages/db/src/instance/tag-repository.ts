import { ConflictError, ForbiddenError, NotFoundError, randomId, shownId } from '@sluice/domain';
import { type Kysely, sql } from 'kysely';
import { type Access, anyOf } from '../access.ts';
import { isUniqueViolation } from '../connection/sql-errors.ts';
import { microsecondsOf, type NewestFirst, newestFirst } from '../newest-first.ts';
import { inTransaction } from '../statements/in-transaction.ts';
import { touched } from '../statements/touched.ts';
import type { Tables } from '../tables/tables.ts';

/** A label for workflows and executions. Tags belong to the instance, not to a project. */
export interface Tag {
  id: string;
  name: string;
  createdAt: Date;
  updatedAt: Date;
  createdAtUs: string;
}

export class TagRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Throws `ConflictError` if another tag has the name. */
  async create(name: string): Promise<Tag> {
    const id = randomId();
    return inTransaction(this.#db, async (tx) => {
      await refuseTaken(name, tx.insertInto('tags').values({ id, name }).execute());
      return new TagRepository(tx).get(id);
    });
  }

  /** Throws `NotFoundError`. */
  async get(id: string): Promise<Tag> {
    const tag = await selectTags(this.#db).where('t.id', '=', id).executeTakeFirst();
    if (!tag) throw new NotFoundError(`tag ${shownId(id)} does not exist`);
    return tag;
  }

  async list(page: NewestFirst): Promise<Tag[]> {
    return newestFirst(selectTags(this.#db), 't', page).execute();
  }

  /**
   * Throws `NotFoundError`, `ForbiddenError` if a project outside `access` uses the tag, or
   * `ConflictError` if another tag has the name.
   */
  async rename(id: string, name: string, access: Access): Promise<Tag> {
    return inTransaction(this.#db, async (tx) => {
      await refuseUsedElsewhere(tx, id, access);
      const changed = tx.updateTable('tags').set({ name, updated_at: touched }).where('id', '=', id).execute();
      await refuseTaken(name, changed);
      return new TagRepository(tx).get(id);
    });
  }

  /**
   * Removes the tag from everything that has it. Throws `NotFoundError`, and `ForbiddenError` as
   * `rename` does.
   */
  async delete(id: string, access: Access): Promise<Tag> {
    return inTransaction(this.#db, async (tx) => {
      await refuseUsedElsewhere(tx, id, access);
      const tag = await new TagRepository(tx).get(id);
      await tx.deleteFrom('tags').where('id', '=', id).execute();
      return tag;
    });
  }

  /** The ids of the tags with the given names; unknown names are omitted. */
  async idsOf(names: readonly string[]): Promise<string[]> {
    const rows = await this.#db.selectFrom('tags').select('id').where('name', '=', anyOf(names)).execute();
    return rows.map((row) => row.id);
  }

  /** The names of tags, in the order of their ids here; unknown ids are omitted. */
  async namesOf(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db.selectFrom('tags').select(['id', 'name']).where('id', '=', anyOf(ids)).execute();
    const names = new Map(rows.map(({ id, name }) => [id, name]));
    return ids.flatMap((id) => names.get(id) ?? []);
  }
}

function selectTags(db: Kysely<Tables>) {
  return db
    .selectFrom('tags as t')
    .select(['t.id', 't.name', 't.created_at as createdAt', 't.updated_at as updatedAt'])
    .select(microsecondsOf('t.created_at').as('createdAtUs'));
}

/**
 * Changing the tag would change everything that has it. The lock keeps further uses out, by their
 * foreign keys.
 */
async function refuseUsedElsewhere(tx: Kysely<Tables>, id: string, { projectIds }: Access): Promise<void> {
  if (projectIds === 'all') return;
  await tx.selectFrom('tags').select('id').where('id', '=', id).forUpdate().execute();
  const { rows } = await sql`
    SELECT FROM workflow_tags t JOIN workflows w ON w.id = t.workflow_id
    WHERE t.tag_id = ${id} AND NOT w.project_id = ${anyOf(projectIds)}
    UNION ALL
    SELECT FROM execution_annotation_tags t JOIN executions e ON e.id = t.execution_id
    WHERE t.tag_id = ${id} AND NOT e.project_id = ${anyOf(projectIds)}
    LIMIT 1`.execute(tx);
  if (rows.length > 0)
    throw new ForbiddenError('other projects use the tag: changing it needs the role to edit their workflows');
}

async function refuseTaken(name: string, written: Promise<unknown>): Promise<void> {
  try {
    await written;
  } catch (error) {
    throw isUniqueViolation(error, 'tags_name_key')
      ? new ConflictError(`a tag named ${JSON.stringify(name)} already exists`)
      : error;
  }
}
