import { ValidationError } from '@sluice/domain';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import { anyOf } from './access.ts';
import type { Tables } from './tables/tables.ts';

/** An owner of tags: the table that links it to tags, and the column with its id there. */
interface TagLinks {
  table: 'workflow_tags' | 'execution_annotation_tags';
  owner: 'workflow_id' | 'execution_id';
  ownerType: 'text' | 'bigint';
}

export const workflowTags: TagLinks = { table: 'workflow_tags', owner: 'workflow_id', ownerType: 'text' };
export const annotationTags: TagLinks = { table: 'execution_annotation_tags', owner: 'execution_id', ownerType: 'bigint' };

const ownerTypes = { text: sql.raw('text'), bigint: sql.raw('bigint') };

/** Maximum number of issues in an error. */
const maxIssues = 20;

/** An owner's ordered tags, as a column. `ownerId`: a column of the enclosing statement. */
export function tagIdsOf({ table, owner }: TagLinks, ownerId: string): RawBuilder<string[]> {
  return sql<
    string[]
  >`array(SELECT l.tag_id FROM ${sql.table(table)} l WHERE l.${sql.ref(owner)} = ${sql.ref(ownerId)} ORDER BY l.position)`;
}

/**
 * Sets the owner's tags to exactly these, in this order. Throws `ValidationError` for ids without a
 * tag; `path` is their location in the request. Tags are locked before their links, as in the
 * deletion of a tag.
 */
export async function replaceTags(
  tx: Transaction<Tables>,
  { table, owner, ownerType }: TagLinks,
  { ownerId, tagIds, path }: { ownerId: string; tagIds: readonly string[]; path: string },
): Promise<void> {
  await lockTags(tx, tagIds, path);
  const wanted = [...new Set(tagIds)];
  await sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(owner)} = ${ownerId} AND tag_id <> ALL (${wanted}::text[])`.execute(
    tx,
  );
  await sql`
    INSERT INTO ${sql.table(table)} (${sql.ref(owner)}, tag_id, position)
    SELECT ${ownerId}::${ownerTypes[ownerType]}, w.tag_id, w.ord - 1 FROM unnest(${wanted}::text[]) WITH ORDINALITY AS w (tag_id, ord)
    ON CONFLICT (${sql.ref(owner)}, tag_id) DO UPDATE SET position = excluded.position`.execute(tx);
}

async function lockTags(tx: Transaction<Tables>, tagIds: readonly string[], path: string): Promise<void> {
  if (tagIds.length === 0) return;
  const rows = await tx.selectFrom('tags').select('id').where('id', '=', anyOf(tagIds)).orderBy('id').forKeyShare().execute();
  const existingIds = new Set(rows.map((row) => row.id));
  const issues = tagIds.flatMap((id, i) =>
    existingIds.has(id) ? [] : [{ path: `${path}/${i}`, message: 'no tag has this ID' }],
  );
  if (issues.length > 0) throw new ValidationError('a tag does not exist', issues.slice(0, maxIssues));
}
