import { type Kysely, sql } from 'kysely';

/** Others may be members of a personal project too: whose it is has to be said. */
const statements = [
  `ALTER TABLE projects ADD COLUMN owner_id text UNIQUE REFERENCES users`,
  `UPDATE projects p SET owner_id = (
    SELECT min(m.user_id) FROM project_members m WHERE m.project_id = p.id AND m.role = 'project:admin'
  ) WHERE p.type = 'personal'`,
  `ALTER TABLE projects ADD CONSTRAINT projects_personal_owner CHECK ((type = 'personal') = (owner_id IS NOT NULL))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE projects DROP COLUMN owner_id').execute(db);
}
