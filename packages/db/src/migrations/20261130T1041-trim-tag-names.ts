import { type Kysely, sql } from 'kysely';

/** Characters that `trim` of JavaScript removes: new names cannot start or end with them. */
const spaces =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/**
 * Names with outer spaces are refused, so a tag that has one could not be sent back, and no filter found it.
 * The oldest of several tags gets the trimmed name, unless another tag has it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE tags SET name = t.trimmed FROM (
      SELECT DISTINCT ON (trimmed) id, trimmed
      FROM (SELECT id, name, created_at, trim(BOTH ${spaces} FROM name) AS trimmed FROM tags) n
      WHERE name <> trimmed AND NOT EXISTS (SELECT 1 FROM tags WHERE tags.name = trimmed)
      ORDER BY trimmed, created_at, id
    ) t WHERE tags.id = t.id`.execute(db);
}

/** The removed spaces are not stored. */
export async function down(): Promise<void> {}
