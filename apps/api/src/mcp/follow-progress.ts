import { isAppError, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { Request, Response } from 'express';
import { eventStreamHeaders, formatEvent, type ServerSentEvent } from '../http/response/server-sent-events.ts';

/** Minimum milliseconds between notifications: of the events in between, the last is sent. */
const pauseMs = 250;
/** Maximum length of a token that is sent back, in characters. */
const maxTokenLength = 256;

/** The progress token of a request; `undefined` if the client accepts no event stream. */
export function progressTokenOf(request: Request, params: JsonObject): string | number | undefined {
  const meta = ownProperty(params, '_meta');
  const token = isJsonObject(meta) ? ownProperty(meta, 'progressToken') : undefined;
  if (!acceptsEvents(request)) return undefined;
  if (typeof token === 'number') return token;
  return typeof token === 'string' && token.length <= maxTokenLength ? token : undefined;
}

function acceptsEvents(request: Request): boolean {
  return (request.get('accept') ?? '').toLowerCase().includes('text/event-stream');
}

/** Writes a message of the server as an event. The first one makes the response a stream. */
export function sendMessage(response: Response, message: JsonValue): void {
  if (!response.headersSent) response.status(200).set(eventStreamHeaders);
  response.write(formatEvent({ event: 'message', data: message }));
}

interface Following {
  response: Response;
  token: string | number;
  ended: AbortSignal;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Events of an execution → notifications, until `ended` aborts. `progress` counts the node runs
 * that ended. Never rejects: a failure only costs the progress, and the caller awaits the tool
 * first.
 */
export async function notifyOfProgress(
  open: () => Promise<AsyncIterable<ServerSentEvent>>,
  { response, token, ended, logger }: Following,
): Promise<void> {
  const notices = new Notices(response, token, ended);
  try {
    for await (const event of await open()) notices.add(event);
  } catch (error) {
    // The result of the tool reports what is wrong with the request.
    if (!isAppError(error)) logger.warn({ err: error }, 'progress of an execution is no longer sent to an MCP client');
  } finally {
    notices.stop();
  }
}

class Notices {
  readonly #response: Response;
  readonly #token: string | number;
  readonly #ended: AbortSignal;
  #progress = 0;
  #nodeRuns = 0;
  #pending: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(response: Response, token: string | number, ended: AbortSignal) {
    this.#response = response;
    this.#token = token;
    this.#ended = ended;
  }

  add({ event, data }: ServerSentEvent): void {
    const { nodeName } = data as { nodeName?: string };
    if (event === 'nodeFinished') this.#nodeRuns += 1;
    if (event === 'nodeStarted') this.#pending = `${nodeName} is running`;
    if (event === 'nodeFinished') this.#pending = `${nodeName} has ended`;
    if (this.#pending !== undefined) this.#timer ??= setTimeout(() => this.#send(), this.#progress === 0 ? 0 : pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    this.#timer = undefined;
    // A client that does not read gets no further notifications until it does.
    if (this.#pending === undefined || this.#ended.aborted || this.#response.writableNeedDrain) return;
    // Each notification has to be above the last, also if no further node run has ended.
    this.#progress = Math.max(this.#nodeRuns, this.#progress + 0.001);
    const params = { progressToken: this.#token, progress: this.#progress, message: this.#pending };
    this.#pending = undefined;
    sendMessage(this.#response, { jsonrpc: '2.0', method: 'notifications/progress', params });
  }
}
