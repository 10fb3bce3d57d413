import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LoopbackService } from '@sluice/http-client/testing';

/** An external effect of a node: a request that it sent. */
export interface Effect {
  node: string;
  executionId: string;
  runIndex: number;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Pause between two new entries of the feed. */
const entryMs = 1_000;

/**
 * The external service: records effects by execution, node, and run, reports resume URLs, receives
 * the events of the service, and serves a feed with a new entry each second.
 */
export class EffectCounter extends LoopbackService {
  readonly effects: Effect[] = [];
  /** Types and executions of the events that were received, as in `eventKey`. */
  readonly events = new Set<string>();
  readonly #onResumeUrl: (url: string) => void;
  #feedStartedAt = Number.POSITIVE_INFINITY;
  #feedEndedAt = Number.POSITIVE_INFINITY;

  private constructor(onResumeUrl: (url: string) => void) {
    super();
    this.#onResumeUrl = onResumeUrl;
    this.server.keepAliveTimeout = 60_000;
  }

  static start(onResumeUrl: (url: string) => void): Promise<EffectCounter> {
    return new EffectCounter(onResumeUrl).listen();
  }

  beginFeed(): void {
    this.#feedStartedAt = Date.now();
  }

  endFeed(): void {
    this.#feedEndedAt = Date.now();
  }

  /** Titles of all feed entries so far. */
  get entries(): string[] {
    const forMs = Math.min(Date.now(), this.#feedEndedAt) - this.#feedStartedAt;
    return Array.from({ length: Math.max(0, Math.floor(forMs / entryMs)) }, (_, i) => `entry ${i + 1}`);
  }

  protected handle(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname === '/feed') {
      response.setHeader('content-type', 'application/rss+xml').end(rss(this.entries));
      return;
    }
    if (pathname.endsWith('/sendMessage')) {
      void this.#receiveQuestion(request, response);
      return;
    }
    if (pathname === '/events') {
      void this.#receiveEvent(request, response);
      return;
    }
    const [, , node = '', executionId = '', runIndex] = pathname.split('/');
    this.effects.push({ node, executionId, runIndex: Number(runIndex), at: Date.now() });
    const resumeUrl = searchParams.get('resumeUrl');
    if (resumeUrl !== null) this.#onResumeUrl(resumeUrl);
    const respond = () => response.setHeader('content-type', 'application/json').end('{"done":true}');
    setTimeout(respond, Number(searchParams.get('delay') ?? 0));
  }

  /**
   * A message of the node `ask`: its text is the ID of the execution, and its button the link that
   * resumes it.
   */
  async #receiveQuestion(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = JSON.parse(await text(request)) as {
      text: string;
      reply_markup: { inline_keyboard: [[{ url: string }]] };
    };
    this.effects.push({ node: 'ask', executionId: message.text, runIndex: 0, at: Date.now() });
    response.setHeader('content-type', 'application/json').end('{"ok":true,"result":{"message_id":1}}');
    this.#onResumeUrl(message.reply_markup.inline_keyboard[0][0].url);
  }

  async #receiveEvent(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { type, data } = JSON.parse(await text(request)) as { type: string; data: { executionId: string } };
    this.events.add(eventKey(type, data.executionId));
    response.writeHead(204).end();
  }
}

/** An event about the end of an execution. */
export function eventKey(type: string, executionId: string): string {
  return `${type} of ${executionId}`;
}

function rss(titles: readonly string[]): string {
  const entries = titles.map((title) => `<item><title>${title}</title><guid>${title}</guid></item>`);
  return `<rss version="2.0"><channel><title>Entries</title>${entries.join('')}</channel></rss>`;
}
