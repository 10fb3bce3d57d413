/**
 * Subscriptions of projects to events, and the deliveries of those events. Triggers write a
 * delivery in the transaction of its event. Deliveries have no foreign key: its check could make
 * the end of an execution wait for, or fail with, the deletion of a subscription.
 */
export const events = [
  `CREATE TABLE event_subscriptions (
    id text PRIMARY KEY,
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    name text NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    waiting_after_s integer NOT NULL CHECK (waiting_after_s > 0),
    active boolean NOT NULL,
    disabled_reason text,
    version integer NOT NULL,
    key_id text NOT NULL,
    wrapped_dek bytea NOT NULL,
    iv bytea NOT NULL,
    ciphertext bytea NOT NULL,
    tag bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  'CREATE INDEX event_subscriptions_project ON event_subscriptions (project_id)',
  `CREATE TABLE event_deliveries (
    id text PRIMARY KEY DEFAULT 'msg_' || replace(gen_random_uuid()::text, '-', ''),
    subscription_id text NOT NULL,
    type text NOT NULL,
    payload json NOT NULL,
    subject text,
    status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    log json NOT NULL DEFAULT '[]',
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE INDEX event_deliveries_due ON event_deliveries (subscription_id, next_at) WHERE status = 'pending'`,
  'CREATE INDEX event_deliveries_list ON event_deliveries (subscription_id, created_at DESC, id DESC)',
  'CREATE INDEX event_deliveries_age ON event_deliveries (created_at)',
  'CREATE UNIQUE INDEX event_deliveries_subject ON event_deliveries (subscription_id, subject) WHERE subject IS NOT NULL',
  `CREATE FUNCTION iso_time(instant timestamptz) RETURNS text LANGUAGE sql STABLE AS
    $$ SELECT to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`,
  // The project is that of the workflow: the row of an execution may still name the project that
  // the workflow has left. The error stays a json text: a part of it cannot be read if any string
  // has an escaped NUL.
  `CREATE FUNCTION execution_event(type text, e executions, at timestamptz) RETURNS json LANGUAGE sql STABLE AS
    $$ SELECT json_build_object('type', type, 'timestamp', iso_time(at), 'data', json_build_object(
      'executionId', e.id::text, 'workflowId', e.workflow_id, 'workflowName', (SELECT name FROM workflows WHERE id = e.workflow_id),
      'projectId', (SELECT project_id FROM workflows WHERE id = e.workflow_id), 'status', e.status, 'mode', e.mode, 'retryOf', e.retry_of::text, 'createdAt', iso_time(e.created_at),
      'startedAt', iso_time(e.started_at), 'stoppedAt', iso_time(e.stopped_at), 'error', e.error)) $$`,
  // One statement for all executions that a statement has changed. Without a subscription, it reads
  // one empty table.
  `CREATE FUNCTION note_execution_events() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NOT EXISTS (SELECT FROM event_subscriptions WHERE active) THEN RETURN NULL; END IF;
      INSERT INTO event_deliveries (subscription_id, type, payload)
      SELECT s.id, t.type, execution_event(t.type, n, n.stopped_at)
      FROM new_rows n JOIN old_rows o ON o.id = n.id
      JOIN (VALUES ('success', 'execution.finished'), ('error', 'execution.failed'), ('crashed', 'execution.crashed'),
        ('canceled', 'execution.canceled')) AS t (status, type) ON t.status = n.status
      JOIN workflows w ON w.id = n.workflow_id JOIN event_subscriptions s ON s.project_id = w.project_id AND s.active AND t.type = ANY (s.events)
      WHERE n.status <> o.status;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER executions_note_events AFTER UPDATE ON executions REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION note_execution_events()`,
  `CREATE FUNCTION note_workflow_event() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      w workflows := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
      types text[];
    BEGIN
      IF TG_OP = 'INSERT' THEN types := ARRAY['workflow.created'];
      ELSIF TG_OP = 'DELETE' THEN types := ARRAY['workflow.deleted'];
      ELSE
        IF (NEW.version_id, NEW.name, NEW.project_id) IS DISTINCT FROM (OLD.version_id, OLD.name, OLD.project_id) THEN
          types := types || 'workflow.updated'::text;
        END IF;
        IF NEW.active AND (NOT OLD.active OR NEW.active_version_id IS DISTINCT FROM OLD.active_version_id) THEN
          types := types || 'workflow.activated'::text;
        ELSIF OLD.active AND NOT NEW.active THEN
          types := types || 'workflow.deactivated'::text;
        END IF;
      END IF;
      INSERT INTO event_deliveries (subscription_id, type, payload)
      SELECT s.id, t, json_build_object('type', t, 'timestamp', iso_time(clock_timestamp()), 'data', json_build_object(
        'workflowId', w.id, 'workflowName', w.name, 'projectId', w.project_id, 'versionId', w.version_id,
        'active', w.active, 'activeVersionId', w.active_version_id))
      FROM unnest(types) AS t JOIN event_subscriptions s ON s.project_id = w.project_id AND s.active AND t = ANY (s.events);
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER workflows_note_event AFTER INSERT OR DELETE OR UPDATE OF name, active, version_id, active_version_id, project_id
    ON workflows FOR EACH ROW EXECUTE FUNCTION note_workflow_event()`,
];
