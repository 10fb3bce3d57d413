import { type Kysely, sql } from 'kysely';

const statements = [
  // Several executions may hold one file: a retry those of its original, a child those that its parent handed over.
  `CREATE TABLE binary_data (
    id text NOT NULL,
    execution_id bigint NOT NULL REFERENCES executions ON DELETE CASCADE,
    file_name text,
    mime_type text NOT NULL,
    size bigint CHECK (size >= 0),
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id, execution_id)
  )`,
  `CREATE INDEX binary_data_execution ON binary_data (execution_id)`,
  `CREATE INDEX binary_data_unfinished ON binary_data (execution_id) WHERE size IS NULL`,
  `CREATE TABLE binary_leftovers (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    binary_id text NOT NULL,
    interrupted boolean NOT NULL,
    due_at timestamptz NOT NULL
  )`,
  `CREATE INDEX binary_leftovers_due ON binary_leftovers (due_at)`,
  // Runs in the transaction that deletes the execution. Other holders of the file are looked for later:
  // two transactions that delete its last two holders do not see each other.
  `CREATE FUNCTION note_binary_leftover() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO binary_leftovers (binary_id, interrupted, due_at)
      VALUES (OLD.id, OLD.size IS NULL, now() + CASE WHEN OLD.size IS NULL THEN interval '15 minutes' ELSE interval '0' END);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER binary_data_deleted AFTER DELETE ON binary_data FOR EACH ROW EXECUTE FUNCTION note_binary_leftover()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw('DROP TABLE binary_data, binary_leftovers').execute(db);
  await sql.raw('DROP FUNCTION note_binary_leftover').execute(db);
}
