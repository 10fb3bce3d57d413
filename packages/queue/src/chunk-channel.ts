import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Redis } from 'ioredis';
import { translateRedisError } from './redis.ts';

/** A part of an answer. */
export interface NumberedChunk {
  /** From 0, by attempt of the execution: a number that is missing is a chunk that was lost. */
  number: number;
  /** Without a line break. */
  json: string;
}

/** Milliseconds that Redis may take. */
const answerMs = 2_000;

const channelOf = (prefix: string, executionId: string) => `${prefix}:chunks:${executionId}`;

/** Hands parts of answers to the process that holds the call, over a channel for each execution. What nobody listens to is gone. */
export class ChunkChannel {
  readonly #publisher: Redis;
  readonly #prefix: string;

  /** `publisher`: a producer connection. */
  constructor(publisher: Redis, prefix: string) {
    this.#publisher = publisher;
    this.#prefix = prefix;
  }

  /** One message. Throws `UnavailableError` while Redis is away. */
  async publish(executionId: string, chunks: readonly NumberedChunk[]): Promise<void> {
    const text = chunks.map(({ number, json }) => `${number} ${json}`).join('\n');
    await this.#publisher.publish(channelOf(this.#prefix, executionId), text).catch((error: unknown) => {
      throw translateRedisError(error);
    });
  }
}

/** The other side of `ChunkChannel`. One per process. */
export class ChunkListener {
  readonly #subscriber: Redis;
  readonly #prefix: string;
  readonly #logger: Logger;
  readonly #listening = new Map<string, Set<(chunks: NumberedChunk[]) => void>>();

  /** `subscriber`: a subscriber connection; it may carry other channels. */
  constructor(subscriber: Redis, prefix: string, logger: Logger) {
    this.#subscriber = subscriber;
    this.#prefix = prefix;
    this.#logger = logger;
    subscriber.on('message', (channel: string, text: string) => {
      const listeners = this.#listening.get(channel);
      if (!listeners) return;
      const chunks = parse(text);
      for (const listener of listeners) listener(chunks);
    });
  }

  /**
   * Calls `onChunks` for the chunks of an execution. Resolves once Redis knows, so that nothing that is sent later is missed; while it is away, it is told as
   * soon as it is back. The answered function stops it, and resolves when all that was sent before has been handed on.
   */
  async listen(executionId: string, onChunks: (chunks: NumberedChunk[]) => void): Promise<() => Promise<void>> {
    const channel = channelOf(this.#prefix, executionId);
    const listeners = this.#listening.get(channel) ?? new Set();
    this.#listening.set(channel, listeners.add(onChunks));
    await this.#tell('subscribe', channel);
    return async () => {
      // Messages and answers come over the connection in order: when this one is there, so is all that was sent before.
      await this.#tell('subscribe', channel);
      listeners.delete(onChunks);
      if (listeners.size > 0 || this.#listening.get(channel) !== listeners) return;
      this.#listening.delete(channel);
      void this.#tell('unsubscribe', channel);
    };
  }

  /** How many executions somebody listens to. */
  get size(): number {
    return this.#listening.size;
  }

  /** Never rejects, and waits for no Redis that is away. */
  async #tell(what: 'subscribe' | 'unsubscribe', channel: string): Promise<void> {
    const told = this.#subscriber[what](channel).catch((error: unknown) => {
      this.#logger.warn({ channel, error: errorMessage(error) }, `cannot ${what}`);
    });
    if (this.#subscriber.status !== 'ready') return;
    const over = new AbortController();
    await Promise.race([told, delay(answerMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined)]);
    over.abort();
  }
}

/** What this build cannot read is nothing: a newer one may have sent it. */
function parse(text: string): NumberedChunk[] {
  return text.split('\n').flatMap((line) => {
    const [, number, json] = /^(\d{1,15}) (\{.*\})$/s.exec(line) ?? [];
    return number === undefined || json === undefined ? [] : [{ number: Number(number), json }];
  });
}
