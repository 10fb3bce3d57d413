/** Users, projects, API keys, the versions of what a key may do, and the audit log. */
export const users = [
  `CREATE TABLE users (
    id text PRIMARY KEY,
    email text NOT NULL UNIQUE,
    role text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  // A personal project may have other members, so it names its owner.
  `CREATE TABLE projects (
    id text PRIMARY KEY,
    name text NOT NULL,
    type text NOT NULL CHECK (type IN ('personal', 'team')),
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    owner_id text UNIQUE REFERENCES users,
    weight smallint NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 100),
    CONSTRAINT projects_personal_owner CHECK ((type = 'personal') = (owner_id IS NOT NULL))
  )`,
  `CREATE TABLE project_members (
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('project:viewer', 'project:editor', 'project:admin')),
    PRIMARY KEY (project_id, user_id)
  )`,
  'CREATE INDEX project_members_user ON project_members (user_id)',
  // A revoked key outlives its user, because it still returns 403. A key that was created with
  // another key, its parent, ends with it. Keys of operators have no parent.
  `CREATE TABLE api_keys (
    id text PRIMARY KEY,
    user_id text REFERENCES users ON DELETE SET NULL,
    label text NOT NULL,
    key_hash bytea NOT NULL UNIQUE,
    redacted_key text NOT NULL,
    scopes text[] NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now(),
    parent_id text REFERENCES api_keys,
    is_session boolean NOT NULL DEFAULT false,
    CONSTRAINT api_keys_without_user CHECK (user_id IS NOT NULL OR revoked_at IS NOT NULL)
  )`,
  'CREATE INDEX api_keys_user ON api_keys (user_id)',
  'CREATE INDEX api_keys_parent ON api_keys (parent_id) WHERE parent_id IS NOT NULL',
  'CREATE INDEX api_keys_sessions ON api_keys (expires_at) WHERE is_session',
  // Links that sign a user in once.
  `CREATE TABLE sign_in_links (
    token_hash bytea PRIMARY KEY,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX sign_in_links_user ON sign_in_links (user_id)',
  'CREATE INDEX sign_in_links_expires_at ON sign_in_links (expires_at)',

  // Processes cache what a key may do. The transaction that changes a key, a role, or a membership
  // records the user here, and processes ask for new records. The triggers are deferred to the
  // commit: the row that numbers the changes is locked briefly, and numbers become visible in their
  // order, so a reader that has seen number 7 has seen 1 to 6.
  `CREATE TABLE access_version (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version bigint NOT NULL
  )`,
  'INSERT INTO access_version (version) VALUES (1)',
  `CREATE TABLE access_changes (
    user_id text PRIMARY KEY,
    version bigint NOT NULL
  )`,
  'CREATE INDEX access_changes_version ON access_changes (version)',
  `CREATE FUNCTION note_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed text;
      next bigint;
    BEGIN
      IF TG_TABLE_NAME = 'users' THEN changed := OLD.id;
      ELSIF TG_OP = 'INSERT' THEN changed := NEW.user_id;
      ELSE changed := OLD.user_id;
      END IF;
      IF changed IS NULL THEN RETURN NULL; END IF;
      UPDATE access_version SET version = version + 1 RETURNING version INTO next;
      INSERT INTO access_changes (user_id, version) VALUES (changed, next)
        ON CONFLICT (user_id) DO UPDATE SET version = excluded.version;
      RETURN NULL;
    END $$`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER UPDATE OF scopes, expires_at, revoked_at, user_id OR DELETE ON api_keys
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER UPDATE OF role OR DELETE ON users
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,
  `CREATE CONSTRAINT TRIGGER note_access_change AFTER INSERT OR UPDATE OR DELETE ON project_members
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note_access_change()`,

  // Without foreign keys: the log outlives the objects that it mentions.
  `CREATE TABLE audit_log (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    actor text,
    user_id text,
    key_id text,
    ip text,
    request_id text,
    action text NOT NULL,
    object_type text,
    object_id text,
    object_name text,
    project_id text,
    outcome text NOT NULL CHECK (outcome IN ('success', 'denied', 'failed')),
    details json
  )`,
  'CREATE INDEX audit_log_at ON audit_log (at)',
  'CREATE INDEX audit_log_object ON audit_log (object_id, id)',
  `CREATE FUNCTION refuse_changing_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$`,
  `CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_changing_audit_log()`,
  // A transaction that states the retention in days may delete older lines, but never those of the
  // last day.
  `CREATE TRIGGER keep_recent BEFORE DELETE ON audit_log FOR EACH ROW
    WHEN (OLD.at >= now() - make_interval(days => greatest(1,
      coalesce(nullif(current_setting('sluice.audit_retention_days', true), '')::integer, 1000000))))
    EXECUTE FUNCTION refuse_changing_audit_log()`,
];
