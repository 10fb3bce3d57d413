import { createHash, randomBytes } from 'node:crypto';
import type { WebhookRoute } from '@sluice/db';
import {
  isAppError,
  type JsonValue,
  mcpError,
  mcpInternalError,
  NotFoundError,
  UnavailableError,
  ValidationError,
  type WebhookResponse,
} from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import type { SessionChannel } from '@sluice/queue';
import type { StreamSlots } from '../../event-streams/stream-slots.ts';
import type { ServerSentEvent } from '../../http/response/server-sent-events.ts';
import type { InboundRequest } from '../shared/inbound-request.ts';

interface McpStreamsOptions {
  channel: SessionChannel;
  slots: StreamSlots;
  logger: Logger;
}

/** A client's message, whose response is sent in its stream. */
export interface StreamedMessage {
  session: string;
  /** ID of the request; absent if nothing is executed for it. */
  id?: string | number;
}

/** Maximum lifetime of a stream, in milliseconds. Clients then open another stream. */
const maxStreamMs = 3_600_000;
/**
 * Maximum number of characters in a message: Redis disconnects receivers that fall behind by
 * several megabytes.
 */
const maxMessageLength = 1_048_576;
/** Maximum number of characters in messages that wait for a slow client. */
const maxWaitingLength = 4 * maxMessageLength;

/**
 * Event streams of MCP clients with the older transport (HTTP with SSE, protocol version
 * 2024-11-05). The first event of a stream is the address for messages. Any process accepts them;
 * the response goes through Redis to the process that holds the stream. A session ID is random;
 * with it, a caller can only send messages to the same server.
 */
export class McpStreams {
  readonly #options: McpStreamsOptions;
  readonly #closing = new AbortController();

  constructor(options: McpStreamsOptions) {
    this.#options = options;
  }

  /** Events for a client, until it disconnects. Throws for one stream too many. */
  async open(
    route: WebhookRoute,
    { disconnected, target }: Pick<InboundRequest, 'disconnected' | 'target'>,
  ): Promise<AsyncIterable<ServerSentEvent>> {
    if (this.#closing.signal.aborted) throw new UnavailableError('the process is stopping');
    const ended = new AbortController();
    const signal = AbortSignal.any([disconnected, ended.signal, this.#closing.signal]);
    this.#options.slots.take({ key: `${route.workflowId} ${route.spec.path}`, tenant: route.projectId }, signal);
    // The timer of `AbortSignal.timeout` would outlive the stream: timers of short streams would
    // pile up for an hour.
    const timer = setTimeout(() => ended.abort(), maxStreamMs).unref();
    const id = randomBytes(16).toString('hex');
    const waiting = new WaitingMessages(signal, () => ended.abort());
    const end = () => {
      ended.abort();
      clearTimeout(timer);
    };
    try {
      const stop = await this.#options.channel.listen(channelOf(route, id), maxStreamMs, (text) => waiting.add(text));
      const [path = ''] = target.split('?', 1);
      const endpoint = `${path.replace(/\/sse\/?$/, '')}/messages?sessionId=${id}`;
      return eventsOf(endpoint, waiting, () => {
        end();
        return stop();
      });
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * The session in a message's query. Throws `ValidationError`, and `NotFoundError` if its stream
   * has ended: the client opens another one.
   */
  async sessionOf(route: WebhookRoute, { query }: Pick<InboundRequest, 'query'>): Promise<string> {
    const id = query['sessionId'];
    if (typeof id !== 'string' || !/^[0-9a-f]{32}$/.test(id)) {
      const message = 'must be the one of the address that the event stream has named';
      throw new ValidationError('the session is not valid', [{ path: '/sessionId', message }]);
    }
    const session = channelOf(route, id);
    if (await this.#options.channel.isOpen(session)) return session;
    throw new NotFoundError('this server has no open event stream of this session');
  }

  /** Sends the response to a message into the stream of its session. Never rejects. */
  async respond({ session, id = '' }: StreamedMessage, response: () => Promise<WebhookResponse | undefined>): Promise<void> {
    const { channel, logger } = this.#options;
    try {
      const json = await response().then(jsonIn, (error: unknown) => {
        if (!isAppError(error)) throw error;
        return jsonIn(mcpError(id, mcpInternalError, error.message));
      });
      if (json === undefined) return;
      const text = JSON.stringify(json);
      const tooLong = () => JSON.stringify(jsonIn(mcpError(id, mcpInternalError, 'the result is too long for this transport')));
      await channel.publish(session, text.length > maxMessageLength ? tooLong() : text);
    } catch (error) {
      logger.warn({ err: error }, 'response to an MCP message not sent');
    }
  }

  /** Ends all streams: the process stops. */
  close(): void {
    this.#closing.abort();
  }
}

/** Bound to the server, so that messages to another one cannot get into the stream. */
function channelOf({ workflowId, spec }: WebhookRoute, id: string): string {
  const server = spec.path.replace(/\/(?:sse|messages)$/, '');
  return createHash('sha256').update(`${workflowId} ${server} ${id}`).digest('hex');
}

function jsonIn(response: WebhookResponse | undefined): JsonValue | undefined {
  return response?.body.kind === 'json' ? response.body.json : undefined;
}

async function* eventsOf(
  endpoint: string,
  waiting: WaitingMessages,
  stop: () => Promise<void>,
): AsyncGenerator<ServerSentEvent> {
  try {
    yield { event: 'endpoint', text: endpoint };
    for (let text = await waiting.next(); text !== undefined; text = await waiting.next()) yield { event: 'message', text };
  } finally {
    await stop();
  }
}

/** Messages that have arrived, but are not sent yet. */
class WaitingMessages {
  readonly #texts: string[] = [];
  readonly #signal: AbortSignal;
  readonly #end: () => void;
  #length = 0;
  #onChange: () => void = () => {};

  /** `end`: called for a client that is too slow. */
  constructor(signal: AbortSignal, end: () => void) {
    this.#signal = signal;
    this.#end = end;
    signal.addEventListener('abort', () => this.#onChange(), { once: true });
  }

  add(text: string): void {
    this.#length += text.length;
    if (this.#length > maxWaitingLength) this.#end();
    else this.#texts.push(text);
    this.#onChange();
  }

  /** `undefined` if the stream has ended. */
  async next(): Promise<string | undefined> {
    while (this.#texts.length === 0 && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
    const text = this.#signal.aborted ? undefined : this.#texts.shift();
    this.#length -= text?.length ?? 0;
    return text;
  }
}
