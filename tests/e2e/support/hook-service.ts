import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { PackageSources } from './own-packages.ts';
import { type Random, seededRandom } from './seeded-random.ts';

/**
 * A remote service that registers URLs: `GET`, `POST`, and `DELETE /hooks`. It can be unreliable,
 * handle a request without responding so that a test can kill the client, and stop and restart at
 * the same address.
 */
export class HookService {
  /** Whether it rejects some requests and handles others without responding. */
  isFlaky = false;
  /** Methods of the received requests. */
  readonly requests: string[] = [];
  readonly #random: Random;
  readonly #hooks = new Map<string, string>();
  #server: Server | undefined;
  #port = 0;
  #lastId = 0;
  #pause: { method: string; done: () => void } | undefined;

  private constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** @param seed of its random failures. */
  static async start(seed = 1): Promise<HookService> {
    const service = new HookService(seed);
    await service.restart();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Registered URLs, sorted, with duplicates. */
  get addresses(): string[] {
    return [...this.#hooks.values()].toSorted();
  }

  /** The last part of each URL. */
  get registered(): string[] {
    return this.addresses.map((address) => address.split('/').at(-1) ?? '').toSorted();
  }

  /**
   * Handles the next request with the method without responding. Resolves once it has been handled.
   */
  pauseAfter(method: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#pause = { method, done: resolve };
    return promise;
  }

  /** Starts again with the same data and address. */
  async restart(): Promise<void> {
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
    const mood = this.isFlaky ? this.#random() : 1;
    const body = await text(request);
    this.requests.push(`${request.method}`);
    if (mood < 0.2) {
      response.writeHead(503).end('{"error":"busy"}');
      return;
    }
    const result = this.#serve(request, body);
    if (this.#pause?.method === request.method) {
      this.#pause?.done();
      this.#pause = undefined;
    } else if (mood < 0.4) request.socket.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(result));
  }

  #serve({ method, url = '' }: IncomingMessage, body: string): unknown {
    if (method === 'GET') return [...this.#hooks].map(([id, address]) => ({ id, url: address }));
    if (method === 'DELETE') return { deleted: this.#hooks.delete(url.split('/').at(-1) ?? '') };
    this.#lastId += 1;
    this.#hooks.set(`hook-${this.#lastId}`, JSON.parse(body).url);
    return { id: `hook-${this.#lastId}` };
  }
}

const hook = `
const ask = async (context, method, path, body) => {
  const request = { method, url: context.parameter('service') + path, ...(body && { body: JSON.stringify(body) }) };
  const response = await context.http.request(request, context.signal);
  if (response.status > 299) throw new Error('the service returned ' + response.status);
  return JSON.parse(Buffer.from(response.body).toString());
};
const find = async (context) => (await ask(context, 'GET', '/hooks')).find(({ url }) => url === context.webhookUrl());
export default {
  description: {
    displayName: 'Hook', name: 'hook', group: ['trigger'], version: 1, description: 'For tests', defaults: { name: 'Hook' },
    inputs: [], outputs: ['main'],
    properties: [
      { displayName: 'Service', name: 'service', type: 'string', default: '' },
      { displayName: 'Events', name: 'events', type: 'string', default: 'events' },
    ],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: '={{ $parameter.events }}' }],
  },
  webhook: ({ request }) => ({ workflowData: [[{ json: request.body }]] }),
  webhookMethods: {
    default: {
      async checkExists(context) {
        const found = await find(context);
        if (found) context.staticData.id = found.id;
        return found !== undefined;
      },
      async create(context) {
        context.staticData.id = (await ask(context, 'POST', '/hooks', { url: context.webhookUrl() })).id;
        return true;
      },
      async delete(context) {
        await ask(context, 'DELETE', '/hooks/' + context.staticData.id);
        return true;
      },
    },
  },
};`;

/**
 * `hooks.hook` registers its URL, which ends with its `events`, at a hook service while its
 * workflow is active.
 */
export const hookPackage: PackageSources = { hooks: { 'hook.js': hook } };
