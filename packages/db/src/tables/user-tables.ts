import type { InstanceRole, ProjectRole, Scope } from '@sluice/domain';
import type { Generated } from 'kysely';

export interface UserTable {
  id: string;
  /** Lower case. */
  email: string;
  role: InstanceRole;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProjectTable {
  id: string;
  name: string;
  /** Each user is `project:admin` of one personal project. */
  type: 'personal' | 'team';
  /** Owner of a personal project; null for a team project. */
  owner_id: string | null;
  /** Turns, relative to other projects, while more executions are queued than can start. */
  weight: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface ProjectMemberTable {
  project_id: string;
  user_id: string;
  role: ProjectRole;
}

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

/** One row: the number of changes to keys, roles, and memberships so far. */
export interface AccessVersionTable {
  only_row: boolean;
  version: string;
}

/** The latest change for each user; written by triggers only. */
export interface AccessChangeTable {
  user_id: string;
  version: string;
}

/** A link that signs a user in to the dashboard, once. */
export interface SignInLinkTable {
  /** SHA-256 of the token; the token itself is not stored. */
  token_hash: Buffer;
  user_id: string;
  expires_at: Date;
}
