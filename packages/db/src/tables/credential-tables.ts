import type { Generated } from 'kysely';

/** An encrypted record, written and read by `packages/vault`; unreadable without a master key. */
export interface SealedColumns {
  version: number;
  /** Names the master key that wraps the data key. */
  key_id: string;
  wrapped_dek: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
}

/** `id` and `type` are bound into the encrypted record: they never change. */
export interface CredentialTable extends SealedColumns {
  id: string;
  /** The owner. */
  project_id: string;
  name: string;
  type: string;
  /** Usable in every project. */
  is_global: boolean;
  /** Written by the command line only. */
  is_managed: boolean;
  is_resolvable: boolean;
  /** Set while a process renews the credential's token; needed to store the new one. */
  renewal_id: Generated<string | null>;
  /** Database time after which another process may renew. */
  renewal_expires_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Projects other than the owner that may read and use a credential. */
export interface CredentialShareTable {
  credential_id: string;
  project_id: string;
  created_at: Generated<Date>;
}

/**
 * A user who was redirected to a service to authorize a credential. The row is deleted when the
 * user returns with the state.
 */
export interface CredentialConsentTable extends SealedColumns {
  /** SHA-256 of the state. */
  state_hash: Buffer;
  credential_id: string;
  user_id: string;
  /** The key that started the authorization. */
  api_key_id: string;
  expires_at: Date;
}

/** One row, checked at startup: whether the configured keys belong to this database. */
export interface VaultCanaryTable extends SealedColumns {
  only_row: Generated<true>;
}
