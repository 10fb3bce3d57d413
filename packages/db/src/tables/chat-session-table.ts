import type { Generated } from 'kysely';

/** A conversation that AI nodes of a workflow remember. */
export interface ChatSessionTable {
  workflow_id: string;
  /** SHA-256 of the session's key. */
  hash: Buffer;
  /** JSON of the messages, packed; see `packJson`. */
  messages: Buffer;
  /** Approximate stored size in bytes. */
  size: Generated<number>;
  /** When a message was last added or deleted. */
  updated_at: Generated<Date>;
}
