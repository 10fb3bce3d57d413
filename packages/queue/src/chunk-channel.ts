import type { SealedPublisher, SealedSubscriber } from './sealed-messages.ts';

/** A part of a streamed response. */
export interface NumberedChunk {
  /** Attempt of the execution that sent it. */
  attempt: number;
  /** Starts at 0 in each attempt; a missing number means a lost chunk. */
  number: number;
  /** One line of JSON. */
  json: string;
}

const channelOf = (prefix: string, executionId: string) => `${prefix}:chunks:${executionId}`;

/**
 * Sends parts of a response to the process that holds the request, over one channel per execution.
 * Without a listener they are lost.
 */
export class ChunkChannel {
  readonly #publisher: SealedPublisher;
  readonly #prefix: string;

  constructor(publisher: SealedPublisher, prefix: string) {
    this.#publisher = publisher;
    this.#prefix = prefix;
  }

  /** Sends one message. Throws `UnavailableError` while Redis is unreachable. */
  async publish(executionId: string, chunks: readonly NumberedChunk[]): Promise<void> {
    const text = chunks.map(({ attempt, number, json }) => `${attempt} ${number} ${json}`).join('\n');
    await this.#publisher.publish(channelOf(this.#prefix, executionId), text);
  }
}

/** The receiving side of `ChunkChannel`. */
export class ChunkListener {
  readonly #subscriber: SealedSubscriber;
  readonly #prefix: string;

  constructor(subscriber: SealedSubscriber, prefix: string) {
    this.#subscriber = subscriber;
    this.#prefix = prefix;
  }

  /**
   * Calls `onChunks` for the chunks of an execution. Resolves when Redis has confirmed the
   * subscription. The returned function ends it, and resolves when all previously sent chunks have
   * been passed on.
   */
  async listen(executionId: string, onChunks: (chunks: NumberedChunk[]) => void): Promise<() => Promise<void>> {
    const channel = channelOf(this.#prefix, executionId);
    const onText = (text: string) => onChunks(parse(text));
    await this.#subscriber.listen(channel, onText);
    return () => this.#subscriber.stop(channel, onText);
  }
}

/** Skips lines that this version cannot read: a newer one may have sent them. */
function parse(text: string): NumberedChunk[] {
  return text.split('\n').flatMap((line) => {
    const [, attempt, number, json] = /^(\d{1,9}) (\d{1,15}) (\{.*\})$/s.exec(line) ?? [];
    return json === undefined ? [] : [{ attempt: Number(attempt), number: Number(number), json }];
  });
}
