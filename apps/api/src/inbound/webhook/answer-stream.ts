import type { AnswerHeaders, ExecutionId } from '@sluice/domain';
import type { NumberedChunk } from '@sluice/queue';
import type { Response } from 'express';
import { setAnswerHead } from '../shared/send-response.ts';

/** What the answer begins with. */
interface AnswerHead {
  status: number;
  headers: AnswerHeaders;
}

/** Bytes that a caller may be behind. */
const maxBehindBytes = 1_048_576;

/**
 * An answer that goes out as it comes, a line of JSON for each chunk. Its head goes with the first one: until then, all can still be answered otherwise.
 * A caller who reads so slowly that more than a mebibyte waits for it is cut off; the execution goes on.
 */
export class AnswerStream {
  readonly #response: Response;
  readonly #head: AnswerHead;
  readonly #executionId: ExecutionId;
  #attempt = 0;
  #next = 0;
  #begun = false;

  constructor(response: Response, executionId: ExecutionId, head: AnswerHead) {
    this.#response = response;
    this.#executionId = executionId;
    this.#head = head;
  }

  /** Whether the head has gone out. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Reports lost chunks to the caller, and drops repeated ones: each attempt counts from 0, and an earlier attempt is over. */
  take(chunks: readonly NumberedChunk[]): void {
    for (const { attempt, number, json } of chunks) {
      if (attempt > this.#attempt) this.#next = 0;
      if (attempt < this.#attempt || number < this.#next) continue;
      this.#attempt = attempt;
      if (number > this.#next) this.#tell('ANSWER_INCOMPLETE', `${number - this.#next} parts of the answer are lost`);
      this.#next = number + 1;
      this.#write(json);
    }
    if (this.#response.writableLength > maxBehindBytes) this.#response.destroy();
  }

  /** After `begun`. The execution has ended, or said that this is all. */
  end(): void {
    this.#response.end();
  }

  /** After `begun`. The last line says why no more comes. */
  fail(code: string, message: string): void {
    this.#tell(code, message);
    this.#response.end();
  }

  /** A line of the service's own. */
  #tell(code: string, content: string): void {
    const metadata = { executionId: this.#executionId, code, timestamp: Date.now() };
    this.#write(JSON.stringify({ type: 'error', content, metadata }));
  }

  #write(json: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (!this.#begun) this.#begin();
    this.#response.write(`${json}\n`);
  }

  #begin(): void {
    this.#begun = true;
    setAnswerHead(this.#response, this.#head);
    const defaults = {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Accel-Buffering': 'no',
    };
    for (const [name, value] of Object.entries(defaults))
      if (!this.#response.hasHeader(name)) this.#response.setHeader(name, value);
    this.#response.flushHeaders();
  }
}
