import { type Kysely, sql } from 'kysely';

/** Apart from `executions`, which stays narrow: few executions are annotated. */
const statements = [
  `CREATE TABLE execution_annotations (
    execution_id bigint PRIMARY KEY REFERENCES executions ON DELETE CASCADE,
    vote text CHECK (vote IN ('up', 'down')),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE TABLE execution_annotation_tags (
    execution_id bigint NOT NULL REFERENCES execution_annotations ON DELETE CASCADE,
    tag_id text NOT NULL REFERENCES tags ON DELETE CASCADE,
    position integer NOT NULL,
    PRIMARY KEY (execution_id, tag_id)
  )`,
  `CREATE INDEX execution_annotation_tags_tag ON execution_annotation_tags (tag_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE execution_annotation_tags, execution_annotations').execute(db);
}
