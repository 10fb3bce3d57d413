/** A message that a memory keeps: its text, without files. */
export interface RememberedMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The messages of one conversation, oldest first. Concurrent executions see each other's messages. */
export interface ChatHistory {
  /** The newest `limit` messages; absent: all that are kept. */
  load(limit: number | undefined, signal: AbortSignal): Promise<readonly RememberedMessage[]>;
  /** Adds the messages next to each other. Not repeated after a failure, since that could add them twice. */
  append(messages: readonly RememberedMessage[], signal: AbortSignal): Promise<void>;
  /** Deletes the newest `last` messages; absent: all. */
  clear(last: number | undefined, signal: AbortSignal): Promise<void>;
}
