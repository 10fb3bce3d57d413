import type { Scope } from '@sluice/domain';
import type { Generated } from 'kysely';

export interface ApiKeyTable {
  id: string;
  /** Null: the user has been deleted, and the key revoked with it. */
  user_id: string | null;
  /** The key that created it; null if an operator created it. Immutable. */
  parent_id: string | null;
  label: string;
  /**
   * Whether it is the key of a dashboard session: it is not listed, and keys that it creates have
   * no parent.
   */
  is_session: Generated<boolean>;
  /** SHA-256 of the whole key; the key itself is not stored. */
  key_hash: Buffer;
  /** First and last few characters. */
  redacted_key: string;
  scopes: Scope[];
  /** Null if it never expires. */
  expires_at: Date | null;
  /** If set, the key gets 403 permanently. */
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}
