import type { ChatMessage } from '@sluice/node-sdk';

/** Most sessions of a process; the least recently used one is dropped. */
const maxSessions = 10_000;
/** Most messages of a session that are kept. */
const maxMessages = 500;
/** Most characters of all sessions. */
const maxLength = 64 * 1024 * 1024;

interface Session {
  messages: readonly ChatMessage[];
  length: number;
}

/**
 * Conversations by session, in the memory of this process: another worker does not have them, and
 * a restart ends them.
 */
export class ChatSessions {
  /** The most recently used last. */
  readonly #sessions = new Map<string, Session>();
  #length = 0;

  read(key: string): readonly ChatMessage[] {
    const session = this.#remove(key);
    if (session) this.#add(key, session);
    return session?.messages ?? [];
  }

  append(key: string, added: readonly ChatMessage[]): void {
    const messages = [...(this.#remove(key)?.messages ?? []), ...added].slice(-maxMessages);
    this.#add(key, { messages, length: JSON.stringify(messages).length });
    for (const [oldest] of this.#sessions) {
      if (this.#sessions.size <= maxSessions && this.#length <= maxLength) break;
      this.#remove(oldest);
    }
  }

  clear(key: string): void {
    this.#remove(key);
  }

  #add(key: string, session: Session): void {
    this.#sessions.set(key, session);
    this.#length += session.length;
  }

  #remove(key: string): Session | undefined {
    const session = this.#sessions.get(key);
    if (session) this.#length -= session.length;
    this.#sessions.delete(key);
    return session;
  }
}
