/** Credentials, encrypted by the vault. */
export const credentials = [
  `CREATE TABLE credentials (
    id text PRIMARY KEY,
    project_id text NOT NULL REFERENCES projects,
    name text NOT NULL,
    type text NOT NULL,
    is_global boolean NOT NULL DEFAULT false,
    is_managed boolean NOT NULL DEFAULT false,
    is_resolvable boolean NOT NULL DEFAULT false,
    version smallint NOT NULL,
    key_id text NOT NULL,
    wrapped_dek bytea NOT NULL,
    iv bytea NOT NULL,
    ciphertext bytea NOT NULL,
    tag bytea NOT NULL,
    renewal_id text,
    renewal_expires_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX credentials_project ON credentials (project_id)',
  'CREATE INDEX credentials_global ON credentials (id) WHERE is_global',
  'CREATE INDEX credentials_key ON credentials (key_id, id)',
  // Encrypted data does not compress.
  'ALTER TABLE credentials ALTER COLUMN ciphertext SET STORAGE EXTERNAL',
  `CREATE TABLE credential_shares (
    credential_id text NOT NULL REFERENCES credentials ON DELETE CASCADE,
    project_id text NOT NULL REFERENCES projects ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (credential_id, project_id)
  )`,
  'CREATE INDEX credential_shares_project ON credential_shares (project_id)',
  `CREATE TABLE vault_canary (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version smallint NOT NULL,
    key_id text NOT NULL,
    wrapped_dek bytea NOT NULL,
    iv bytea NOT NULL,
    ciphertext bytea NOT NULL,
    tag bytea NOT NULL
  )`,
  `CREATE TABLE credential_consents (
    state_hash bytea PRIMARY KEY,
    credential_id text NOT NULL REFERENCES credentials ON DELETE CASCADE,
    user_id text NOT NULL REFERENCES users ON DELETE CASCADE,
    api_key_id text NOT NULL,
    version smallint NOT NULL,
    key_id text NOT NULL,
    wrapped_dek bytea NOT NULL,
    iv bytea NOT NULL,
    ciphertext bytea NOT NULL,
    tag bytea NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX credential_consents_credential ON credential_consents (credential_id)',
  'CREATE INDEX credential_consents_user ON credential_consents (user_id)',
  'CREATE INDEX credential_consents_expiry ON credential_consents (expires_at)',
];
