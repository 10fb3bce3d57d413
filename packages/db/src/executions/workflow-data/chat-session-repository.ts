import { createHash } from 'node:crypto';
import { stringifyJson, type WorkflowId } from '@sluice/domain';
import { type Kysely, sql, type Transaction } from 'kysely';
import { packText, unpackJson } from '../../json/codec.ts';
import type { Tables } from '../../tables/tables.ts';

/** A conversation: the key is unique in the workflow. */
interface ChatSessionRef {
  workflowId: WorkflowId;
  key: string;
}

export interface ChatSessionMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

interface ChatSessionLimits {
  /** Maximum total bytes of one workflow's sessions. */
  maxBytesPerWorkflow: number;
  /** Default 10,000. */
  sessionsPerWorkflow?: number;
}

/** Maximum number of messages in a session; the newest are kept. */
const maxMessages = 500;
/** Maximum number of characters in a session; older messages are deleted. */
const maxLength = 512 * 1024;
/** Maximum number of characters in a message; the rest is cut off. */
const maxMessageLength = 128 * 1024;

type Change = (messages: readonly ChatSessionMessage[]) => readonly ChatSessionMessage[];

/**
 * Conversations of workflows, by session. A change locks the row of its session, so that concurrent
 * ones lose nothing. If a workflow's sessions exceed its limits, the least recently changed ones
 * are deleted. Deleted with the workflow.
 */
export class ChatSessionRepository {
  readonly #db: Kysely<Tables>;
  readonly #limits: Required<ChatSessionLimits>;

  constructor(db: Kysely<Tables>, limits: ChatSessionLimits) {
    this.#db = db;
    this.#limits = { sessionsPerWorkflow: 10_000, ...limits };
  }

  /** The messages, oldest first. */
  async read({ workflowId, key }: ChatSessionRef): Promise<readonly ChatSessionMessage[]> {
    const row = await this.#db
      .selectFrom('chat_sessions')
      .select('messages')
      .where('workflow_id', '=', workflowId)
      .where('hash', '=', hashOf(key))
      .executeTakeFirst();
    return row ? unpackJson<ChatSessionMessage[]>(row.messages) : [];
  }

  /** Adds consecutive messages, all or none. Has no effect if the workflow is deleted. */
  async append(session: ChatSessionRef, added: readonly ChatSessionMessage[]): Promise<void> {
    if (added.length === 0) return;
    await this.#db.transaction().execute(async (tx) => {
      await changeMessages(tx, session, (messages) => [...messages, ...added.map(shortened)]);
      await this.#trim(tx, session.workflowId);
    });
  }

  /** Deletes the newest `last` messages; by default, all messages. */
  async clear(session: ChatSessionRef, last?: number): Promise<void> {
    if (last !== undefined) {
      const change: Change = (messages) => (last > 0 ? messages.slice(0, -last) : messages);
      return this.#db.transaction().execute((tx) => changeMessages(tx, session, change));
    }
    await this.#db
      .deleteFrom('chat_sessions')
      .where('workflow_id', '=', session.workflowId)
      .where('hash', '=', hashOf(session.key))
      .execute();
  }

  /** Skips sessions that another transaction is changing: they are no longer the oldest. */
  async #trim(tx: Transaction<Tables>, workflowId: WorkflowId): Promise<void> {
    const { maxBytesPerWorkflow, sessionsPerWorkflow } = this.#limits;
    await sql`
      WITH ranked AS (
        SELECT hash, sum(size) OVER newest AS bytes, row_number() OVER newest AS position
        FROM chat_sessions WHERE workflow_id = ${workflowId}
        WINDOW newest AS (ORDER BY updated_at DESC ROWS UNBOUNDED PRECEDING)
      ), excess AS (
        SELECT s.hash FROM chat_sessions s JOIN ranked r ON r.hash = s.hash
        WHERE s.workflow_id = ${workflowId} AND r.position > 1
          AND (r.bytes > ${maxBytesPerWorkflow} OR r.position > ${sessionsPerWorkflow})
        FOR UPDATE OF s SKIP LOCKED
      )
      DELETE FROM chat_sessions s USING excess WHERE s.workflow_id = ${workflowId} AND s.hash = excess.hash`.execute(tx);
  }
}

async function changeMessages(tx: Transaction<Tables>, session: ChatSessionRef, change: Change): Promise<void> {
  const stored = await lock(tx, session);
  if (!stored) return;
  const messages = change(stored.length === 0 ? [] : await unpackJson<ChatSessionMessage[]>(stored));
  await tx
    .updateTable('chat_sessions')
    .set({ messages: await packed(messages) })
    .where('workflow_id', '=', session.workflowId)
    .where('hash', '=', hashOf(session.key))
    .execute();
}

/**
 * Locks the session's row, inserting it if needed; resolves to its messages, empty for a new row.
 */
async function lock(tx: Transaction<Tables>, { workflowId, key }: ChatSessionRef): Promise<Buffer | undefined> {
  const { rows } = await sql<{ messages: Buffer }>`
    INSERT INTO chat_sessions (workflow_id, hash, messages)
    SELECT id, ${hashOf(key)}::bytea, ''::bytea FROM workflows WHERE id = ${workflowId}
    ON CONFLICT (workflow_id, hash) DO UPDATE SET updated_at = clock_timestamp()
    RETURNING messages`.execute(tx);
  return rows[0]?.messages;
}

/** The newest messages within the limits of a session. */
async function packed(messages: readonly ChatSessionMessage[]): Promise<Buffer> {
  const recent = messages.slice(-maxMessages);
  let length = 0;
  const dropped = recent.findLastIndex(({ content }) => {
    length += content.length;
    return length > maxLength;
  });
  return packText(await stringifyJson(recent.slice(dropped + 1)));
}

function shortened({ role, content }: ChatSessionMessage): ChatSessionMessage {
  return { role, content: content.slice(0, maxMessageLength) };
}

function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
