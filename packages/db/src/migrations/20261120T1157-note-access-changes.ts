import { type Kysely, sql } from 'kysely';

/**
 * Processes cache what a key may do. Every change of a key, a role or a membership leaves here, in its own transaction, which user
 * it concerns; processes ask for what is new. The trigger is deferred to the commit, so that the one row that numbers the changes
 * is locked for a moment only, and numbers become visible in their order: a reader that has seen number 7 has seen 1 to 6.
 */
const statements = [
  `CREATE TABLE access_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL
  )`,
  `INSERT INTO access_version (version) VALUES (1)`,
  `CREATE TABLE access_changes (
    user_id text PRIMARY KEY,
    version bigint NOT NULL
  )`,
  `CREATE INDEX access_changes_version ON access_changes (version)`,
  `CREATE FUNCTION note_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed text;
      next bigint;
    BEGIN
      IF TG_TABLE_NAME = 'users' THEN changed := OLD.id;
      ELSIF TG_OP = 'INSERT' THEN changed := NEW.user_id;
      ELSE changed := OLD.user_id;
      END IF;
      IF changed IS NULL THEN RETURN NULL; END IF;
      UPDATE access_version SET version = version + 1 RETURNING version INTO next;
      INSERT INTO access_changes (user_id, version) VALUES (changed, next)
        ON CONFLICT (user_id) DO UPDATE SET version = excluded.version;
      RETURN NULL;
    END $$`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER UPDATE OF scopes, expires_at, revoked_at, user_id OR DELETE ON api_keys
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER UPDATE OF role OR DELETE ON users
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER INSERT OR UPDATE OR DELETE ON project_members
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  for (const table of ['api_keys', 'users', 'project_members']) {
    await sql.raw(`DROP TRIGGER note_access_change ON ${table}`).execute(db);
  }
  await sql.raw('DROP FUNCTION note_access_change').execute(db);
  await sql.raw('DROP TABLE access_changes, access_version').execute(db);
}
