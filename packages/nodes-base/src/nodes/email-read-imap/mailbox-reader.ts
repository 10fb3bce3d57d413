import {
  AppError,
  currentMemory,
  dataSize,
  errorMessage,
  type JsonObject,
  type ListenContext,
  NodeOperationError,
} from '@sluice/node-sdk';
import type { ImapFlow, MailboxObject, SearchObject } from 'imapflow';
import { maxWholeFile } from '../../shared/binary-files.ts';
import { stringOf } from '../../shared/coerced-text.ts';
import { emitPatiently, isRefusedForGood } from '../../shared/listening/emit-patiently.ts';
import { type FetchedMail, type MailReading, mailItem } from './mail-item.ts';

/** Maximum number of messages that one search covers: their UIDs fit into a protocol line. */
const searchWindow = 10_000;

export interface MailboxReading extends MailReading {
  mailbox: string;
  /** Searches that must all match a message. */
  searches: readonly SearchObject[];
  /** Whether to read only messages newer than the last one. */
  tracks: boolean;
  marksRead: boolean;
}

/** Position in a mailbox; its UIDs are valid as long as `uidValidity` is the same. */
interface Position {
  uidValidity: string;
  lastUid: number;
}

/**
 * Starts an execution for each matching message in a mailbox, oldest first. The position advances
 * in the transaction that starts the execution, so that no message is lost or processed twice,
 * regardless of how the reader ends. Then the message is marked as read.
 */
export class MailboxReader {
  readonly #context: ListenContext;
  readonly #client: ImapFlow;
  readonly #reading: MailboxReading;
  /** Finished messages that the position does not cover. */
  readonly #done = new Set<number>();
  #position: Position;

  private constructor(context: ListenContext, client: ImapFlow, reading: MailboxReading, position: Position) {
    this.#context = context;
    this.#client = client;
    this.#reading = reading;
    this.#position = position;
  }

  /** Opens the mailbox; rejects if it does not exist. */
  static async open(context: ListenContext, client: ImapFlow, reading: MailboxReading): Promise<MailboxReader> {
    const mailbox = await client.mailboxOpen(reading.mailbox, { readOnly: !reading.marksRead });
    const position = positionOf(context.cursor, mailbox);
    const reader = new MailboxReader(context, client, reading, position);
    // Repeats the mark of the last message: a failure may have prevented it.
    if (position.lastUid > 0) await reader.#mark(position.lastUid);
    return reader;
  }

  /** Processes all pending messages. Rejects if it cannot continue. */
  async readNew(): Promise<void> {
    for (const uid of await this.#find()) {
      this.#context.signal.throwIfAborted();
      await this.#take(uid);
      if (!this.#reading.tracks || uid > this.#position.lastUid) this.#done.add(uid);
    }
  }

  async #find(): Promise<number[]> {
    const { searches, tracks } = this.#reading;
    const { lastUid } = this.#position;
    let matches: number[] | undefined;
    for (const search of searches) {
      const query = tracks && search.uid === undefined ? { ...search, uid: `${lastUid + 1}:*` } : search;
      const uids = await this.#search(query);
      matches = matches?.filter((uid) => uids.has(uid)) ?? [...uids];
    }
    // A range that ends with * always includes the last message.
    const wanted = (uid: number) => !this.#done.has(uid) && (!tracks || uid > lastUid);
    return (matches ?? []).filter(wanted).sort((one, other) => one - other);
  }

  /**
   * UIDs of the matching messages. A large mailbox is searched in windows, from the last message
   * down: when a message is removed in the meantime, all later messages move down, so none is
   * missed.
   */
  async #search(query: SearchObject): Promise<Set<number>> {
    const uids = new Set<number>();
    for (let last = this.#messages; last >= 0; last = Math.min(last - searchWindow, this.#messages)) {
      const first = Math.max(1, last - searchWindow + 1);
      const isWhole = first === 1 && last === this.#messages;
      const matches = await this.#client.search(isWhole ? query : { ...query, seq: `${first}:${last}` }, { uid: true });
      if (!matches)
        throw new NodeOperationError('the server does not understand the search', {
          description: 'Check the custom email rules',
        });
      for (const uid of matches) uids.add(uid);
      if (first === 1) break;
    }
    return uids;
  }

  get #messages(): number {
    return this.#client.mailbox ? this.#client.mailbox.exists : 0;
  }

  /**
   * The message counts as memory from its arrival, before it is parsed, until it has started its
   * execution.
   */
  async #take(uid: number): Promise<void> {
    const query = { uid: true, flags: true, size: true, source: { maxLength: maxWholeFile } };
    const fetched = await this.#client.fetchOne(stringOf(uid), query, { uid: true });
    if (!this.#client.usable)
      throw new AppError({ code: 'CONNECTION_FAILED', message: 'the connection was lost', kind: 'transient' });
    // Deleted in the meantime.
    if (!fetched || fetched.source === undefined) return;
    const { source, flags = new Set<string>(), size = source.length } = fetched;
    const memory = currentMemory();
    await memory?.receive(dataSize(source.length));
    try {
      await this.#emit({ uid, flags: [...flags], source, isCut: size > source.length });
    } finally {
      memory?.passOn(dataSize(source.length));
    }
  }

  async #emit(mail: FetchedMail): Promise<void> {
    const { uid } = mail;
    const position = { ...this.#position, lastUid: Math.max(uid, this.#position.lastUid) };
    const cursor: JsonObject = { ...position };
    const item = await mailItem(this.#context, mail, this.#reading);
    try {
      await emitPatiently(this.#context, [item], {
        key: `${this.#reading.mailbox} ${position.uidValidity} ${uid}`.slice(-255),
        cursor,
      });
    } catch (error) {
      if (!isRefusedForGood(error)) throw error;
      this.#context.logger.error({ uid, reason: errorMessage(error) }, 'an event did not start an execution');
      await this.#context.saveCursor(cursor);
      this.#position = position;
      return;
    }
    this.#position = position;
    await this.#mark(uid);
  }

  async #mark(uid: number): Promise<void> {
    if (this.#reading.marksRead) await this.#client.messageFlagsAdd(stringOf(uid), ['\\Seen'], { uid: true });
  }
}

/** Restarts at the beginning if the mailbox was recreated, since its UIDs have changed. */
function positionOf(cursor: Readonly<JsonObject> | undefined, mailbox: MailboxObject): Position {
  const uidValidity = `${mailbox.uidValidity}`;
  const lastUid = cursor?.['lastUid'];
  const isSame = cursor?.['uidValidity'] === uidValidity && typeof lastUid === 'number';
  return { uidValidity, lastUid: isSame ? lastUid : 0 };
}
