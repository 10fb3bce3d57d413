import { setTimeout as delay } from 'node:timers/promises';
import { type AnswerChunk, AppError, errorMessage, GroupCommit, stringifyJson } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { NumberedChunk } from '@sluice/queue';

export interface CallStreamOptions {
  /** Attempt of the execution, from 1. */
  attempt: number;
  publish(chunks: readonly NumberedChunk[]): Promise<void>;
  /** Leaves the secrets out that the execution has used. */
  scrub(json: string): string | Promise<string>;
  /** Of one chunk, as JSON. */
  maxBytes: number;
  logger: Logger;
}

/** Characters of chunks that may be on their way at once, for nodes that do not wait; what is more is left out, and the caller told. */
const maxUnderWay = 4_194_304;
/** Of one message. */
const maxMessage = 262_144;
/** Milliseconds that the end of a run waits for chunks that are still on their way. */
const settleMs = 1_000;

/**
 * Hands on what the nodes of one execution answer while it runs. A node that waits for each chunk sends no faster than Redis takes them. Chunks are for the
 * caller alone, and stored nowhere: one that is lost (Redis is away, too much is under way) leaves a gap in the numbers, and the run goes on.
 */
export class CallStream {
  readonly #options: CallStreamOptions;
  readonly #sending: GroupCommit<NumberedChunk, undefined>;
  readonly #underWay = new Set<Promise<unknown>>();
  #size = 0;
  #next = 0;
  #hasFailed = false;

  constructor(options: CallStreamOptions) {
    this.#options = options;
    this.#sending = new GroupCommit<NumberedChunk, undefined>(
      async (chunks) => {
        await options.publish(chunks);
        return chunks.map(() => undefined);
      },
      { weigh: ({ json }) => json.length, maxWeight: maxMessage },
    );
  }

  /** Resolves once Redis has the chunk, or it is given up. Throws `ANSWER_TOO_LARGE`. */
  async send(chunk: AnswerChunk): Promise<void> {
    const { attempt, scrub, maxBytes } = this.#options;
    const json = await scrub(await stringifyJson(chunk));
    if (Buffer.byteLength(json) > maxBytes)
      throw new AppError({
        code: 'ANSWER_TOO_LARGE',
        message: `a part of an answer may have ${maxBytes} bytes of JSON at most`,
      });
    const number = this.#next++;
    if (this.#size > 0 && this.#size + json.length > maxUnderWay) return;
    this.#size += json.length;
    const sent = this.#sending.add({ attempt, number, json }).catch((error: unknown) => this.#note(error));
    this.#underWay.add(sent);
    await sent;
    this.#underWay.delete(sent);
    this.#size -= json.length;
  }

  /** Resolves when nothing is on its way any more, or after a second. */
  async settle(): Promise<void> {
    if (this.#underWay.size > 0) await Promise.race([Promise.all(this.#underWay), delay(settleMs, undefined, { ref: false })]);
  }

  /** One line for each run. */
  #note(error: unknown): void {
    if (!this.#hasFailed) this.#options.logger.warn({ error: errorMessage(error) }, 'parts of an answer are lost');
    this.#hasFailed = true;
  }
}
