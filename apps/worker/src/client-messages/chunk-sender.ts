import { AppError, errorMessage, GroupCommit, type ResponseChunk, stringifyJson, within } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { NumberedChunk } from '@sluice/queue';
import type { SecretScrubber } from '@sluice/vault';

export interface ChunkSenderOptions {
  /** Attempt of the execution, from 1. */
  attempt: number;
  publish(chunks: readonly NumberedChunk[]): Promise<void>;
  /** Removes the secrets that the execution has used. */
  scrubber: Pick<SecretScrubber, 'scrubJson' | 'settledLength'>;
  /** Maximum size of one chunk, as JSON. */
  maxBytes: number;
  logger: Logger;
}

/**
 * Maximum characters in flight, for nodes that do not wait. Further chunks are dropped; the client
 * detects the gap.
 */
const maxInFlight = 4_194_304;
/** Maximum size of one message. */
const maxMessage = 262_144;
/** Milliseconds for which the end of a run waits for chunks in flight. */
const settleMs = 1_000;

/**
 * Sends the streamed responses of one execution's nodes. A node that waits for each chunk sends no
 * faster than Redis accepts them. Chunks are only for the client and are not stored: a lost chunk
 * (Redis is unreachable, or too many are in flight) leaves a gap in the numbers, and the run
 * continues. The end of a string that may be the beginning of a secret is held back until the next
 * chunk of the same item, because models split words.
 */
export class ChunkSender {
  readonly #options: ChunkSenderOptions;
  readonly #sending: GroupCommit<NumberedChunk>;
  /** Held text: item of a node run → chunk. */
  readonly #heldChunks = new Map<string, ResponseChunk>();
  /** Resolves once all chunks are serialized: a long chunk takes longer and must keep its place. */
  #prepared: Promise<unknown> = Promise.resolve();
  readonly #inFlight = new Set<Promise<unknown>>();
  #size = 0;
  #next = 0;
  #hasFailed = false;

  constructor(options: ChunkSenderOptions) {
    this.#options = options;
    this.#sending = new GroupCommit((chunks) => options.publish(chunks), {
      weigh: ({ json }) => json.length,
      maxWeight: maxMessage,
    });
  }

  /**
   * Resolves once Redis has accepted the chunk, or the chunk is dropped or held. Throws
   * `ANSWER_TOO_LARGE`.
   */
  async send(chunk: ResponseChunk): Promise<void> {
    await Promise.all(this.#released(chunk).map((each) => this.#send(each)));
  }

  #released(chunk: ResponseChunk): ResponseChunk[] {
    const { nodeName, runIndex, itemIndex } = chunk.metadata;
    const key = JSON.stringify([nodeName, runIndex, itemIndex]);
    const heldChunk = this.#heldChunks.get(key);
    this.#heldChunks.delete(key);
    if (chunk.type !== 'item' || typeof chunk.content !== 'string') return heldChunk ? [heldChunk, chunk] : [chunk];
    const text = `${heldChunk?.content ?? ''}${chunk.content}`;
    const settled = this.#options.scrubber.settledLength(text);
    if (settled === text.length) return [{ ...chunk, content: text }];
    this.#heldChunks.set(key, { ...chunk, content: text.slice(settled) });
    return settled === 0 ? [] : [{ ...chunk, content: text.slice(0, settled) }];
  }

  async #send(chunk: ResponseChunk): Promise<void> {
    const { attempt, maxBytes } = this.#options;
    const preparing = this.#scrubbed(chunk);
    const before = this.#prepared;
    this.#prepared = Promise.allSettled([before, preparing]).then(() => undefined);
    await before;
    const json = await preparing;
    if (Buffer.byteLength(json) > maxBytes)
      throw new AppError({
        code: 'ANSWER_TOO_LARGE',
        message: `the JSON of a response part exceeds the limit of ${maxBytes} bytes`,
      });
    const number = this.#next++;
    if (this.#size > 0 && this.#size + json.length > maxInFlight) return;
    this.#size += json.length;
    const sent = this.#sending.add({ attempt, number, json }).catch((error: unknown) => this.#note(error));
    this.#inFlight.add(sent);
    await sent;
    this.#inFlight.delete(sent);
    this.#size -= json.length;
  }

  async #scrubbed(chunk: ResponseChunk): Promise<string> {
    return this.#options.scrubber.scrubJson(await stringifyJson(chunk));
  }

  /** Sends what is held. Resolves when nothing is in flight, or after a second. */
  async settle(): Promise<void> {
    for (const chunk of this.#heldChunks.values())
      this.#inFlight.add(this.#send(chunk).catch((error: unknown) => this.#note(error)));
    this.#heldChunks.clear();
    await within(
      settleMs,
      this.#prepared.then(() => Promise.all(this.#inFlight)),
    );
  }

  /** Logs once per run. */
  #note(error: unknown): void {
    if (!this.#hasFailed) this.#options.logger.warn({ error: errorMessage(error) }, 'parts of a response are lost');
    this.#hasFailed = true;
  }
}
