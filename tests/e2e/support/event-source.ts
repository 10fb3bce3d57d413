import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackService } from '@sluice/http-client/testing';
import type { PackageSources } from './own-packages.ts';

/** Milliseconds after which an unacknowledged message is redelivered. */
const redeliverMs = 2_000;

/**
 * A broker and a feed of numbers. `/take` delivers one message at a time until `/ack?n=`
 * acknowledges it. `/feed?after=` returns later numbers, and `/rss` all numbers as titles of
 * entries. After `begin`, a new number is added every tenth of a second, up to `count`.
 */
export class EventSource extends LoopbackService {
  readonly #acknowledged = new Set<number>();
  readonly #deliveredAt = new Map<number, number>();
  readonly count: number;
  #beganAt = Number.POSITIVE_INFINITY;

  private constructor(count: number) {
    super();
    this.count = count;
  }

  static start(count: number): Promise<EventSource> {
    return new EventSource(count).listen();
  }

  /** Whether every message has been acknowledged. */
  get isDone(): boolean {
    return this.#acknowledged.size === this.count;
  }

  begin(): void {
    this.#beganAt = Date.now();
  }

  protected handle({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname === '/rss') {
      response.setHeader('content-type', 'application/rss+xml').end(rss(this.#available));
      return;
    }
    if (pathname === '/ack') this.#acknowledged.add(Number(searchParams.get('n')));
    const body =
      pathname === '/take' ? this.#take() : pathname === '/feed' ? this.#after(Number(searchParams.get('after'))) : {};
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  }

  get #available(): number[] {
    const count = Math.max(0, Math.min(this.count, Math.floor((Date.now() - this.#beganAt) / 100)));
    return Array.from({ length: count }, (_, i) => i + 1);
  }

  #after(n: number): number[] {
    return this.#available.filter((candidate) => candidate > n);
  }

  #take(): { n: number | null } {
    const isFree = (n: number) =>
      !this.#acknowledged.has(n) && Date.now() - (this.#deliveredAt.get(n) ?? Number.NEGATIVE_INFINITY) > redeliverMs;
    const n = this.#available.find(isFree) ?? null;
    if (n !== null) this.#deliveredAt.set(n, Date.now());
    return { n };
  }
}

function rss(numbers: readonly number[]): string {
  const entries = numbers.map((n) => `<item><title>${n}</title><guid>entry-${n}</guid></item>`);
  return `<rss version="2.0"><channel><title>Numbers</title>${entries.join('')}</channel></rss>`;
}

const described = (name: string, more: string) => `description: {
  displayName: '${name}', name: '${name}', group: ['trigger'], version: 1, description: 'For tests', defaults: { name: '${name}' },
  inputs: [], outputs: ['main'], properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }], ${more} }`;

const feed = `export default { ${described('feed', 'polling: true')},
  async poll(context) {
    const after = context.cursor?.n ?? 0;
    const url = context.parameter('url', 0) + '/feed?after=' + after;
    const { body } = await context.http.request({ method: 'GET', url }, context.signal);
    const found = JSON.parse(Buffer.from(body).toString());
    if (found.length > 0) context.saveCursor({ n: found.at(-1) });
    return found.map((n) => ({ json: { n } }));
  } };`;

const broker = `export default { ${described('broker', '')},
  async trigger(context) {
    const ask = async (path) => {
      const { body } = await context.http.request({ method: 'GET', url: context.parameter('url', 0) + path }, context.signal);
      return JSON.parse(Buffer.from(body).toString());
    };
    const consume = async () => {
      while (!context.signal.aborted) {
        const { n } = await ask('/take');
        if (n === null) await new Promise((resolve) => setTimeout(resolve, 50));
        else {
          await context.emit([{ json: { n } }], { key: String(n) });
          await ask('/ack?n=' + n);
        }
      }
    };
    const consuming = consume().catch((error) => context.failed(error));
    return { close: () => consuming };
  } };`;

const uncaught = `export default { ${described('uncaught', '')},
  async trigger(context) {
    setTimeout(() => { throw new Error('thrown in a timer'); }, 50);
    return { close() {} };
  } };`;

/**
 * Node types for tests: `events.feed` polls an event source, `events.broker` listens to it, and
 * `events.uncaught` throws in a timer.
 */
export const eventPackage: PackageSources = { events: { 'feed.js': feed, 'broker.js': broker, 'uncaught.js': uncaught } };
