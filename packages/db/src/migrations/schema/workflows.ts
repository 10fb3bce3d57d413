/** Workflows with their versions, graphs, tags, and the data that they keep between executions. */
export const workflows = [
  `CREATE TABLE workflows (
    id text PRIMARY KEY,
    project_id text NOT NULL REFERENCES projects,
    name text NOT NULL,
    active boolean NOT NULL DEFAULT false,
    version_id text NOT NULL,
    active_version_id text,
    static_data json,
    meta json,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX workflows_newest ON workflows (created_at DESC, id DESC)',
  'CREATE INDEX workflows_newest_active ON workflows (created_at DESC, id DESC) WHERE active',
  'CREATE INDEX workflows_project ON workflows (project_id, created_at DESC, id DESC)',
  // Finds names by a part: every three consecutive characters, in lower case. This is what pg_trgm
  // does, which some servers lack.
  `CREATE FUNCTION name_grams(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT coalesce(array_agg(DISTINCT substr(lower(name), i, 3)), '{}') FROM generate_series(1, length(lower(name)) - 2) AS i $$`,
  'CREATE INDEX workflows_name_grams ON workflows USING gin (name_grams(name))',
  // Lists know from `bytes` how much they would read. A graph that no version uses is deleted after
  // the last execution that used it: `check_at` is the time of the next check. It is null for
  // graphs of versions, which are deleted only with their workflow.
  `CREATE TABLE workflow_graphs (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    hash text NOT NULL,
    content json NOT NULL,
    timeout_ms integer,
    created_at timestamptz NOT NULL DEFAULT now(),
    bytes integer NOT NULL,
    error_workflow_id text,
    foreign_types text[],
    priority smallint,
    credential_ids text[],
    check_at timestamptz DEFAULT now() + interval '1 day',
    PRIMARY KEY (workflow_id, hash)
  )`,
  'CREATE INDEX workflow_graphs_check ON workflow_graphs (check_at) WHERE check_at IS NOT NULL',
  `CREATE TABLE workflow_versions (
    id text PRIMARY KEY,
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    graph_hash text NOT NULL,
    name text,
    description text,
    author_id text REFERENCES users ON DELETE SET NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    FOREIGN KEY (workflow_id, graph_hash) REFERENCES workflow_graphs (workflow_id, hash)
  )`,
  // The ID makes the order total, so that a cursor names one position.
  'CREATE INDEX workflow_versions_newest ON workflow_versions (workflow_id, created_at DESC, id DESC)',
  'CREATE INDEX workflow_versions_graph ON workflow_versions (workflow_id, graph_hash)',
  // A reference to a deleted workflow (a caller, a policy, an error workflow) must not reach
  // another one.
  `CREATE TABLE deleted_workflows (
    id text PRIMARY KEY,
    deleted_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE FUNCTION keep_workflow_id() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO deleted_workflows (id) VALUES (OLD.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
  END $$`,
  'CREATE TRIGGER keep_workflow_id AFTER DELETE ON workflows FOR EACH ROW EXECUTE FUNCTION keep_workflow_id()',

  `CREATE TABLE tags (
    id text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX tags_newest ON tags (created_at DESC, id DESC)',
  `CREATE TABLE workflow_tags (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    tag_id text NOT NULL REFERENCES tags ON DELETE CASCADE,
    position integer NOT NULL,
    PRIMARY KEY (workflow_id, tag_id)
  )`,
  'CREATE INDEX workflow_tags_tag ON workflow_tags (tag_id, workflow_id)',

  // Values that expressions of all workflows read as `$vars`.
  `CREATE TABLE variables (
    key text PRIMARY KEY,
    value text NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  // Values that executions of a workflow have processed: their hashes, and the greatest value of
  // each kind.
  `CREATE TABLE seen_values (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    scope text NOT NULL,
    hash bytea NOT NULL,
    seen_at timestamptz NOT NULL,
    position integer NOT NULL,
    PRIMARY KEY (workflow_id, scope, hash)
  )`,
  'CREATE INDEX seen_values_newest ON seen_values (workflow_id, scope, seen_at DESC, position DESC)',
  `CREATE TABLE seen_marks (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    scope text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('number', 'date')),
    mark double precision NOT NULL,
    PRIMARY KEY (workflow_id, scope, kind)
  )`,
  // Conversations that AI nodes remember, one row for each session of a workflow.
  `CREATE TABLE chat_sessions (
    workflow_id text NOT NULL REFERENCES workflows ON DELETE CASCADE,
    hash bytea NOT NULL,
    messages bytea NOT NULL,
    size integer NOT NULL GENERATED ALWAYS AS (octet_length(messages) + 128) STORED,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workflow_id, hash)
  )`,
  'CREATE INDEX chat_sessions_newest ON chat_sessions (workflow_id, updated_at DESC) INCLUDE (size)',
  'CREATE INDEX chat_sessions_updated_at ON chat_sessions (updated_at)',
];
