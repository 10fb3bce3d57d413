import {
  type ExecutionId,
  isAppError,
  type ResponseHeaders,
  type WebhookResponse,
  type WebhookResponseSpec,
} from '@sluice/domain';
import type { NumberedChunk } from '@sluice/queue';
import type { Response } from 'express';
import { disconnectStalled } from '../../http/response/client-disconnect.ts';
import { countUnread } from '../../http/response/unread-responses.ts';
import { type ResponseFiles, sendWorkflowResponse, setResponseHead } from './send-response.ts';

/** How a client receives its response. */
export interface ResponseReceiver {
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
  /** Receives the parts of a streaming response. */
  onChunks(chunks: readonly NumberedChunk[]): void;
}

interface AwaitedResponse {
  executionId: ExecutionId;
  spec: WebhookResponseSpec;
  disconnected: AbortSignal;
  /** Resolves to the response of the workflow; `undefined` if the client disconnects. */
  wait(receiver: ResponseReceiver): Promise<WebhookResponse | undefined>;
}

/** Sent for a defect after the response has started. */
const unexpected = { code: 'INTERNAL_ERROR', message: 'the response cannot be sent' };

/** Waits for the response of a workflow and sends it; in parts while they arrive, if it streams. */
export async function relayResponse(
  files: ResponseFiles,
  response: Response,
  { executionId, spec, disconnected, wait }: AwaitedResponse,
): Promise<void> {
  const stream = spec.mode === 'streaming' ? new ResponseStream(response, executionId, spec) : undefined;
  try {
    const outcome = await wait({ disconnected, onChunks: (chunks) => stream?.take(chunks) });
    if (stream?.started) return stream.end();
    if (!outcome) return;
    const headers = { ...spec.headers, ...outcome.headers };
    await sendWorkflowResponse(files, response, { executionId, outcome: { ...outcome, headers } });
  } catch (error) {
    if (!stream?.started) throw error;
    const { code, message } = isAppError(error) ? error : unexpected;
    stream.fail(code, message);
  }
}

interface ResponseHead {
  status: number;
  headers: ResponseHeaders;
}

/** Maximum number of bytes that wait for a slow client. */
const maxBehindBytes = 1_048_576;

/**
 * A streaming response: one line of JSON per chunk. Its head is sent with the first chunk, so an
 * earlier failure gets a normal response. A client that falls more than 1 MiB behind is
 * disconnected; the execution continues.
 */
export class ResponseStream {
  readonly #response: Response;
  readonly #head: ResponseHead;
  readonly #executionId: ExecutionId;
  #attempt = 0;
  #next = 0;
  #started = false;

  constructor(response: Response, executionId: ExecutionId, head: ResponseHead) {
    this.#response = response;
    this.#executionId = executionId;
    this.#head = head;
  }

  /** Whether the head has been sent. */
  get started(): boolean {
    return this.#started;
  }

  /**
   * Writes chunks, reports lost ones, and drops repeated ones. Each attempt counts from 0; a new
   * attempt ends the previous one.
   */
  take(chunks: readonly NumberedChunk[]): void {
    for (const { attempt, number, json } of chunks) {
      if (attempt > this.#attempt) this.#next = 0;
      if (attempt < this.#attempt || number < this.#next) continue;
      this.#attempt = attempt;
      if (number > this.#next) this.#report('ANSWER_INCOMPLETE', `${number - this.#next} parts of the response are lost`);
      this.#next = number + 1;
      this.#write(json);
    }
    if (this.#response.writableLength > maxBehindBytes) this.#response.destroy();
  }

  /** Ends the response. Call once `started`. */
  end(): void {
    disconnectStalled(this.#response);
    countUnread(this.#response, this.#response.writableLength);
    this.#response.end();
  }

  /** Ends the response with a line that reports the failure. Call once `started`. */
  fail(code: string, message: string): void {
    this.#report(code, message);
    this.end();
  }

  /** Writes a line that reports an error of the service. */
  #report(code: string, content: string): void {
    const metadata = { executionId: this.#executionId, code, timestamp: Date.now() };
    this.#write(JSON.stringify({ type: 'error', content, metadata }));
  }

  #write(json: string): void {
    if (this.#response.writableEnded || this.#response.destroyed) return;
    if (!this.#started) this.#start();
    this.#response.write(`${json}\n`);
  }

  #start(): void {
    this.#started = true;
    setResponseHead(this.#response, this.#head);
    const defaults = {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Accel-Buffering': 'no',
    };
    for (const [name, value] of Object.entries(defaults))
      if (!this.#response.hasHeader(name)) this.#response.setHeader(name, value);
    this.#response.flushHeaders();
  }
}
