/** A message stored by a memory: its text, without files. */
export interface RememberedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The messages of one conversation, oldest first. Concurrent executions share it. */
export interface ChatHistory {
  /** The newest `limit` messages; absent: all stored messages. */
  load(limit: number | undefined, signal: AbortSignal): Promise<readonly RememberedMessage[]>;
  /**
   * Adds the messages consecutively. Not retried after a failure, because a retry could add them
   * twice.
   */
  append(messages: readonly RememberedMessage[], signal: AbortSignal): Promise<void>;
  /** Deletes the newest `last` messages; absent: all. */
  clear(last: number | undefined, signal: AbortSignal): Promise<void>;
}
