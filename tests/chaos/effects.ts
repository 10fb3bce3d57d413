import type { IncomingMessage, ServerResponse } from 'node:http';
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
 * The external service: records effects by execution, node, and run, reports resume URLs, and
 * serves a feed with a new entry each second.
 */
export class EffectCounter extends LoopbackService {
  readonly effects: Effect[] = [];
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

  protected handle({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, this.url);
    if (pathname === '/feed') {
      response.setHeader('content-type', 'application/rss+xml').end(rss(this.entries));
      return;
    }
    const [, , node = '', executionId = '', runIndex] = pathname.split('/');
    this.effects.push({ node, executionId, runIndex: Number(runIndex), at: Date.now() });
    const resumeUrl = searchParams.get('resumeUrl');
    if (resumeUrl !== null) this.#onResumeUrl(resumeUrl);
    const respond = () => response.setHeader('content-type', 'application/json').end('{"done":true}');
    setTimeout(respond, Number(searchParams.get('delay') ?? 0));
  }
}

function rss(titles: readonly string[]): string {
  const entries = titles.map((title) => `<item><title>${title}</title><guid>${title}</guid></item>`);
  return `<rss version="2.0"><channel><title>Entries</title>${entries.join('')}</channel></rss>`;
}
