import { type Kysely, sql } from 'kysely';

const defineEvent = (projectId: string) => `
  CREATE OR REPLACE FUNCTION execution_event(type text, e executions, at timestamptz) RETURNS json LANGUAGE sql STABLE AS
    $$ SELECT json_build_object('type', type, 'timestamp', iso_time(at), 'data', json_build_object(
      'executionId', e.id::text, 'workflowId', e.workflow_id, 'workflowName', (SELECT name FROM workflows WHERE id = e.workflow_id),
      'projectId', ${projectId}, 'status', e.status, 'mode', e.mode, 'retryOf', e.retry_of::text, 'createdAt', iso_time(e.created_at),
      'startedAt', iso_time(e.started_at), 'stoppedAt', iso_time(e.stopped_at), 'error', e.error)) $$`;

const defineTrigger = (subscriptions: string) => `
  CREATE OR REPLACE FUNCTION note_execution_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM event_subscriptions WHERE active) THEN RETURN NULL; END IF;
      INSERT INTO event_deliveries (subscription_id, type, payload)
      SELECT s.id, t.type, execution_event(t.type, n, n.stopped_at)
      FROM new_rows n JOIN old_rows o ON o.id = n.id
      JOIN (VALUES ('success', 'execution.finished'), ('error', 'execution.failed'), ('crashed', 'execution.crashed'),
        ('canceled', 'execution.canceled')) AS t (status, type) ON t.status = n.status
      ${subscriptions} AND s.active AND t.type = ANY (s.events)
      WHERE n.status <> o.status;
      RETURN NULL;
    END $$`;

/**
 * Events go to the project of the workflow. The row of an execution may still name the project that the
 * workflow has left.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(defineEvent('(SELECT project_id FROM workflows WHERE id = e.workflow_id)')).execute(db);
  const subscriptions = 'JOIN workflows w ON w.id = n.workflow_id JOIN event_subscriptions s ON s.project_id = w.project_id';
  await sql.raw(defineTrigger(subscriptions)).execute(db);
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await sql.raw(defineTrigger('JOIN event_subscriptions s ON s.project_id = n.project_id')).execute(db);
  await sql.raw(defineEvent('e.project_id')).execute(db);
}
