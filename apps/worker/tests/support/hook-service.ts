import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LoopbackService } from '@sluice/http-client/testing';

interface Hook {
  url: string;
  events: string;
  level?: string;
}

/** A service on the loopback interface that stores webhooks and sends requests to them. */
export class HookService extends LoopbackService {
  #lastId = 0;
  readonly hooks = new Map<string, Hook>();
  /** The only URL of an account; null: no URL. */
  single: string | null = null;
  readonly requests: string[] = [];
  /** Number of requests of a method that fail, or whether all hang, from now on. */
  readonly failing = new Map<string, number>();
  hanging = false;
  /** Whether it sends a request to the URL before it agrees. */
  shakesHands = false;
  readonly handshakes: string[] = [];

  get urls(): string[] {
    return [...this.hooks.values()].map(({ url }) => url);
  }

  /** Neither fails nor hangs, and agrees without a request. */
  behave(): void {
    this.failing.clear();
    this.hanging = false;
    this.shakesHands = false;
  }

  protected async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [status, body] = await this.#respond(request);
    if (body !== undefined) response.writeHead(status).end(body);
  }

  /** Without a body, the request hangs. */
  async #respond(request: IncomingMessage): Promise<[status: number, body?: string]> {
    const { method = '', url, headers } = request;
    const body = await text(request);
    this.requests.push(`${method} ${url}`);
    if (this.hanging) return [200];
    const remainingFailures = this.failing.get(method) ?? 0;
    this.failing.set(method, remainingFailures - 1);
    const isElsewhere = headers['x-site'] !== undefined && headers['x-site'] !== 'eu';
    if (remainingFailures > 0 || isElsewhere) return [500, `failing for ${headers.authorization}`];
    return [200, JSON.stringify(await this.#resultOf(`${method} ${url}`, body))];
  }

  async #resultOf(request: string, body: string): Promise<unknown> {
    if (request === 'GET /choices') return { data: [{ id: 7, title: 'Seven' }] };
    if (request === 'GET /hooks') return [...this.hooks].map(([hookId, hook]) => ({ id: hookId, ...hook }));
    if (request === 'POST /hooks') return { id: await this.#add(JSON.parse(body)) };
    if (request === 'GET /single') return { url: this.single };
    if (request === 'POST /single') this.single = JSON.parse(body).url;
    if (request === 'DELETE /single') this.single = null;
    if (request.startsWith('DELETE /hooks/')) return this.hooks.delete(request.slice('DELETE /hooks/'.length));
    return null;
  }

  async #add(hook: Hook): Promise<string> {
    if (this.shakesHands) {
      this.handshakes.push(await (await fetch(`${hook.url}?challenge=42`)).text());
      const headers = { 'Content-Type': 'application/json' };
      await fetch(hook.url, { method: 'POST', headers, body: JSON.stringify({ kind: 'secret' }) });
    }
    const id = String(++this.#lastId);
    this.hooks.set(id, hook);
    return id;
  }
}
