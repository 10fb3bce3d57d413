import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { NodeOperationError } from '@sluice/node-sdk';
import type { Client } from 'pg';

/**
 * Objects created in the user's database: a function that notifies a channel, and a trigger that
 * calls it.
 */
export interface TriggerObjects {
  schema: string;
  table: string;
  event: 'INSERT' | 'UPDATE' | 'DELETE';
  functionName: string;
  triggerName: string;
  channel: string;
  /** Whether to replace objects with these names that others created. */
  replace: boolean;
}

/**
 * Maximum length of a name in bytes; the server truncates longer names, which could then collide.
 */
const maxNameBytes = 63;

/** Postgres limits notifications to under 8000 bytes. */
const maxPayloadBytes = 7_900;

/**
 * Prefix of the comments that mark objects as created here, so that they may be replaced and
 * dropped.
 */
const markPrefix = 'made by Sluice for ';

/** Throws a `NodeOperationError` if a name is not valid in the database. */
export function requireName(parameter: string, name: string): string {
  if (name !== '' && !name.includes('\0') && Buffer.byteLength(name) <= maxNameBytes) return name;
  throw new NodeOperationError(`the parameter "${parameter}" must be a name of 1 to ${maxNameBytes} bytes`, {
    description: 'Use a shorter name, or leave it empty for a generated one',
  });
}

/** A name that is unique to a node and the same at each start. */
export function nameFor(kind: string, owner: string): string {
  return `sluice_${kind}_${createHash('sha256').update(owner).digest('hex').slice(0, 16)}`;
}

/**
 * Creates the objects in one transaction and replaces existing objects of the same owner. Resolves
 * to a mark that lets `dropTrigger` check that they are unchanged. Throws a `NodeOperationError` if
 * objects with these names belong to others.
 */
export async function createTrigger(client: Client, objects: TriggerObjects, owner: string): Promise<string> {
  const { escapeIdentifier: quote, escapeLiteral } = client;
  const { schema, table, event, functionName, triggerName, channel } = objects;
  const mark = `${markPrefix}${owner}: ${randomUUID()}`;
  const [fn, target] = [`${quote(schema)}.${quote(functionName)}`, `${quote(schema)}.${quote(table)}`];
  await inTransaction(client, objects, async () => {
    await requireOurs(client, objects, owner);
    await client.query(`DROP TRIGGER IF EXISTS ${quote(triggerName)} ON ${target}`);
    await client.query(
      `CREATE OR REPLACE FUNCTION ${fn}() RETURNS trigger LANGUAGE plpgsql AS ${escapeLiteral(body(event, channel, client))}`,
    );
    await client.query(`COMMENT ON FUNCTION ${fn}() IS ${escapeLiteral(mark)}`);
    await client.query(
      `CREATE TRIGGER ${quote(triggerName)} AFTER ${event} ON ${target} FOR EACH ROW EXECUTE FUNCTION ${fn}()`,
    );
  });
  return mark;
}

/** Drops the objects, unless another worker has taken over and replaced them. */
export async function dropTrigger(client: Client, objects: TriggerObjects, mark: string): Promise<void> {
  const { escapeIdentifier: quote } = client;
  const { schema, table, functionName, triggerName } = objects;
  await inTransaction(client, objects, async () => {
    if ((await commentOf(client, objects)) !== mark) return;
    await client.query(`DROP TRIGGER IF EXISTS ${quote(triggerName)} ON ${quote(schema)}.${quote(table)}`);
    await client.query(`DROP FUNCTION IF EXISTS ${quote(schema)}.${quote(functionName)}()`);
  });
}

/**
 * A row that is too large for a notification is sent without its values: it must not fail the
 * statement that changed it.
 */
function body(event: TriggerObjects['event'], channel: string, { escapeLiteral }: Client): string {
  const row = event === 'DELETE' ? 'OLD' : 'NEW';
  return `DECLARE payload text := row_to_json(${row})::text;
BEGIN
  IF octet_length(payload) > ${maxPayloadBytes} THEN
    payload := json_build_object('tooLarge', true, 'table', TG_TABLE_NAME, 'schema', TG_TABLE_SCHEMA)::text;
  END IF;
  PERFORM pg_notify(${escapeLiteral(channel)}, payload);
  RETURN NULL;
END`;
}

async function requireOurs(client: Client, objects: TriggerObjects, owner: string): Promise<void> {
  const { schema, table, functionName, triggerName, replace } = objects;
  if (replace || (await commentOf(client, objects))?.startsWith(`${markPrefix}${owner}: `)) return;
  const text = `SELECT EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND p.proname = $2)
      OR EXISTS (SELECT FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $3 AND t.tgname = $4) AS taken`;
  const { rows } = await client.query<{ taken: boolean }>(text, [schema, functionName, table, triggerName]);
  if (!rows[0]?.taken) return;
  const description = 'Choose other names, or switch on "Replace if Exists"';
  throw new NodeOperationError(`a function or trigger named "${functionName}" or "${triggerName}" already exists`, {
    description,
  });
}

async function commentOf(client: Client, { schema, functionName }: TriggerObjects): Promise<string | undefined> {
  const text = `SELECT obj_description(p.oid, 'pg_proc') AS comment FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
    WHERE n.nspname = $1 AND p.proname = $2 AND p.pronargs = 0`;
  const { rows } = await client.query<{ comment: string | null }>(text, [schema, functionName]);
  return rows[0]?.comment ?? undefined;
}

/**
 * Deadlocks with transactions that lock in a different order, such as the user's own, are retried.
 */
const maxTries = 5;
const pauseMs = 50;

async function inTransaction(client: Client, objects: TriggerObjects, work: () => Promise<void>): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await tryInTransaction(client, objects, work);
    } catch (error) {
      if (tried === maxTries || !isDeadlock(error)) throw error;
      await delay(pauseMs * tried * (1 + Math.random()));
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '40P01';
}

/**
 * Acquires an advisory lock for the table, since concurrent runs would deadlock on Postgres's own
 * locks, and a lock for the function, so that an ending worker does not drop its successor's
 * objects. All callers acquire them in this order.
 */
async function tryInTransaction(
  client: Client,
  { schema, table, functionName }: TriggerObjects,
  work: () => Promise<void>,
): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const name of [`table ${schema}.${table}`, `${schema}.${functionName}`])
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sluice ${name}`]);
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
