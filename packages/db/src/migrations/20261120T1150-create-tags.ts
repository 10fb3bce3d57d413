import { type Kysely, sql } from 'kysely';

const statements = [
  `CREATE TABLE tags (
    id text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX tags_newest ON tags (created_at DESC, id DESC)`,
  `CREATE TABLE workflow_tags (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    tag_id text NOT NULL REFERENCES tags ON DELETE CASCADE,
    position integer NOT NULL,
    PRIMARY KEY (workflow_id, tag_id)
  )`,
  `CREATE INDEX workflow_tags_tag ON workflow_tags (tag_id, workflow_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE workflow_tags, tags').execute(db);
}
