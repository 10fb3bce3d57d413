import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A remote service that keeps addresses to call: `GET`, `POST` and `DELETE /hooks`. It can be made to do what a request asks and then say nothing, for whoever
 * has asked to die over it, and it can go away and come back at its address.
 */
export class PausingService {
  readonly requests: string[] = [];
  readonly #hooks = new Map<string, string>();
  #server: Server | undefined;
  #port = 0;
  #lastId = 0;
  #pause: { method: string; done: () => void } | undefined;

  static async start(): Promise<PausingService> {
    const service = new PausingService();
    await service.comeBack();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** What is registered, sorted: the last part of each address; one that is so twice is there twice. */
  get registered(): string[] {
    return [...this.#hooks.values()].map((address) => address.split('/').at(-1) ?? '').toSorted();
  }

  /** The next request of the method is not answered; resolves once what it asks for has been done. */
  pauseAfter(method: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = { method, done: resolve };
    return promise;
  }

  /** What it knows survives. */
  async comeBack(): Promise<void> {
    this.#server = createServer((request, response) => void this.#answer(request, response)).listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    this.#server = undefined;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += chunk;
    this.requests.push(`${request.method}`);
    const result = this.#serve(request, body);
    const pause = this.#pause;
    if (pause?.method !== request.method) {
      response.end(JSON.stringify(result));
      return;
    }
    this.#pause = undefined;
    pause?.done();
  }

  #serve({ method, url = '' }: IncomingMessage, body: string): unknown {
    if (method === 'GET') return [...this.#hooks].map(([id, address]) => ({ id, url: address }));
    if (method === 'DELETE') return { deleted: this.#hooks.delete(url.split('/').at(-1) ?? '') };
    this.#lastId += 1;
    this.#hooks.set(`hook-${this.#lastId}`, JSON.parse(body).url);
    return { id: `hook-${this.#lastId}` };
  }
}
