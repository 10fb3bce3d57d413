import type { Scope } from '@sluice/domain';
import type { Generated } from 'kysely';

export interface ApiKeyTable {
  id: string;
  /** Null: the user has been deleted, and the key revoked with it. */
  user_id: string | null;
  /** The key that created it; null: created by an operator. Immutable. */
  parent_id: string | null;
  label: string;
  /** The key of a session of the dashboard: it is not listed, and what it creates has no parent. */
  is_session: Generated<boolean>;
  /** SHA-256 of the whole key; the key itself is not stored. */
  key_hash: Buffer;
  /** First and last few characters. */
  redacted_key: string;
  scopes: Scope[];
  /** Null: never. */
  expires_at: Date | null;
  /** Set: the key gets 403 permanently. */
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}
