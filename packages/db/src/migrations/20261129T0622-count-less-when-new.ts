import { type Kysely, sql } from 'kysely';

const files = '(SELECT coalesce(sum(greatest(size, 4096)), 0) FROM binary_data WHERE execution_id = NEW.id)';
const all = `(SELECT coalesce(sum(octet_length(data)), 0) FROM node_runs WHERE execution_id = NEW.id)
      + ${files}
      + coalesce((SELECT octet_length(data) FROM execution_inputs WHERE execution_id = NEW.id), 0)`;

const define = (body: string) => `CREATE OR REPLACE FUNCTION count_stored_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${body}
    RETURN NEW;
  END $$`;

/**
 * An execution that has not started has no node runs, and the statement that inserted it may have counted
 * its input. Counting again took two thirds of the time in which ten thousand of them are stopped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const body = `IF OLD.status = 'new' AND OLD.stored_bytes > 0 THEN
      NEW.stored_bytes := OLD.stored_bytes + ${files};
    ELSE
      NEW.stored_bytes := ${all};
    END IF;`;
  await sql.raw(define(body)).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(define(`NEW.stored_bytes := ${all};`)).execute(db);
}
