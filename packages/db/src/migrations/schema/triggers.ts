/**
 * Triggers of active workflows: schedules, polls, listeners, webhooks, forms, and registrations at
 * services.
 */
export const triggers = [
  `CREATE TABLE triggers (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    ordinal smallint NOT NULL,
    kind text NOT NULL,
    spec json NOT NULL,
    state json,
    next_at timestamptz,
    retry_at timestamptz,
    failures integer NOT NULL DEFAULT 0,
    last_error text,
    last_execution_id bigint,
    created_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (workflow_id, node_name, ordinal)
  )`,
  'CREATE INDEX triggers_due ON triggers (greatest(next_at, retry_at)) WHERE next_at IS NOT NULL',
  `CREATE INDEX triggers_listen ON triggers (workflow_id) WHERE kind = 'listen'`,
  // Outlives the rows of `triggers`: nodes keep their cursors while their workflow is inactive.
  `CREATE TABLE trigger_sources (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    ordinal smallint NOT NULL,
    fingerprint text NOT NULL,
    cursor bytea,
    hold_id text,
    worker_id text,
    held_until timestamptz,
    last_success_at timestamptz,
    foreign_type text,
    node_id text,
    PRIMARY KEY (workflow_id, node_name, ordinal)
  )`,
  'CREATE UNIQUE INDEX trigger_sources_hold ON trigger_sources (hold_id) WHERE hold_id IS NOT NULL',

  // In `pattern`, `:` stands for each parameter, so that two paths that the same request could not
  // distinguish are one key. Routes with parameters are found by their first part, which is never a
  // parameter, and the number of parts. Forms have paths of their own: one may equal that of a
  // webhook.
  `CREATE TABLE webhook_routes (
    pattern text NOT NULL,
    method text NOT NULL,
    output smallint NOT NULL,
    has_parameters boolean NOT NULL,
    head text NOT NULL,
    parts smallint NOT NULL,
    trigger_id bigint NOT NULL REFERENCES triggers ON DELETE CASCADE,
    kind text NOT NULL DEFAULT 'webhook',
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    PRIMARY KEY (pattern, method, kind)
  )`,
  'CREATE INDEX webhook_routes_trigger ON webhook_routes (trigger_id)',
  'CREATE INDEX webhook_routes_parameters ON webhook_routes (head, parts) WHERE has_parameters',
  // An execution answers each request that it has waited for; 0 is the request that started it.
  `CREATE TABLE webhook_answers (
    execution_id bigint REFERENCES executions ON DELETE CASCADE,
    data bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    to_wait integer NOT NULL DEFAULT 0,
    PRIMARY KEY (execution_id, to_wait)
  )`,
  'ALTER TABLE webhook_answers ALTER COLUMN data SET STORAGE EXTERNAL',
  // Webhook requests have no user: an idempotency key belongs to the node that received it.
  `CREATE TABLE webhook_keys (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    node_name text NOT NULL,
    key text NOT NULL,
    execution_id bigint NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workflow_id, node_name, key)
  )`,
  'CREATE INDEX webhook_keys_created ON webhook_keys (created_at)',
  // The key of a form identifies its sender.
  'CREATE INDEX webhook_keys_execution ON webhook_keys (execution_id)',

  // One per workflow. Opening the test URLs again replaces the row; `id` distinguishes the times.
  `CREATE TABLE test_urls (
    workflow_id text PRIMARY KEY REFERENCES workflows ON DELETE CASCADE,
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    graph_hash text NOT NULL,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL,
    execution_id bigint
  )`,
  'CREATE INDEX test_urls_expires ON test_urls (expires_at)',
  // Like `webhook_routes`, for workflows that are not active. Both kinds are found in the same way.
  `CREATE TABLE test_routes (
    kind text NOT NULL,
    pattern text NOT NULL,
    method text NOT NULL,
    output smallint NOT NULL,
    has_parameters boolean NOT NULL,
    head text NOT NULL,
    parts smallint NOT NULL,
    node_name text NOT NULL,
    spec json NOT NULL,
    workflow_id text NOT NULL REFERENCES test_urls ON DELETE CASCADE,
    PRIMARY KEY (kind, pattern, method)
  )`,
  'CREATE INDEX test_routes_workflow ON test_routes (workflow_id)',

  // Without a foreign key: a registration must be ended at its service even after its workflow is
  // deleted.
  `CREATE TABLE registrations (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    workflow_id text NOT NULL,
    project_id text NOT NULL,
    node_name text NOT NULL,
    name text NOT NULL,
    subject json NOT NULL,
    data json NOT NULL,
    wanted boolean NOT NULL,
    due_at timestamptz,
    held_by text,
    held_until timestamptz,
    failures integer NOT NULL DEFAULT 0,
    last_error text,
    unwanted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    begun json,
    wanted_at timestamptz
  )`,
  // Not unique for unwanted ones: a renamed node may take the name of a node whose registration has
  // not ended.
  'CREATE UNIQUE INDEX registrations_wanted ON registrations (workflow_id, node_name, name) WHERE wanted',
  'CREATE INDEX registrations_workflow ON registrations (workflow_id)',
  'CREATE INDEX registrations_due ON registrations (due_at) WHERE due_at IS NOT NULL',
  // Few at any time: those that a process works on.
  'CREATE INDEX registrations_held ON registrations (held_until) WHERE held_until IS NOT NULL',
  // A registration that ends late must not end a newer one at the same service. This is the account
  // at the service, which may allow one webhook per account.
  `CREATE FUNCTION registration_account(name text, subject json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(name || ' ' || (subject #>> '{node,type}') || ' ' || coalesce(
      (SELECT string_agg(c.key || ' ' || coalesce(c.value ->> 'id', ''), ' ' ORDER BY c.key) FROM json_each(subject #> '{node,credentials}') c), ''))
  $$`,
  // Identifies a registration at such a service: the address that the service calls or, without
  // one, the parameters. Null if unknown.
  `CREATE FUNCTION registration_address(name text, subject json) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT md5(CASE
      WHEN name <> 'hooks' THEN (subject #> ARRAY['urls', substr(name, 9)])::text
      WHEN (subject #> '{urls}')::text <> '{}' THEN (subject #> '{urls}')::text
      ELSE (subject #> '{node,parameters}')::text END)
  $$`,
  'CREATE INDEX registrations_account ON registrations (registration_account(name, subject)) WHERE NOT wanted',
  'CREATE INDEX registrations_address ON registrations (registration_address(name, subject))',
  // The registrations of a deleted workflow are no longer wanted, however it was deleted.
  `CREATE FUNCTION forsake_registrations() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE registrations SET wanted = false, due_at = now(), failures = 0, unwanted_at = now()
    WHERE workflow_id = OLD.id AND wanted;
    RETURN NULL;
  END $$`,
  'CREATE TRIGGER workflows_forsake_registrations AFTER DELETE ON workflows FOR EACH ROW EXECUTE FUNCTION forsake_registrations()',
];
