import { type Kysely, sql } from 'kysely';

const moves = [
  ['new', 'running', 'canceled', 'error'],
  ['running', 'waiting', 'success', 'error', 'canceled', 'crashed'],
  ['waiting', 'running', 'canceled', 'error'],
];

function defineTrigger(allowed: readonly string[][]): string {
  const pairs = allowed.flatMap(([from, ...to]) => to.map((status) => `('${from}', '${status}')`));
  return `CREATE OR REPLACE TRIGGER executions_status_moves BEFORE UPDATE OF status ON executions FOR EACH ROW
    WHEN (NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (${pairs.join(', ')}))
    EXECUTE FUNCTION refuse_status_move()`;
}

/** An execution that only computes can end without having been claimed (ADR 79). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(defineTrigger([...moves, ['new', 'success', 'crashed']])).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(defineTrigger(moves)).execute(db);
}
