import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PackageSources } from './own-packages.ts';
import { type Random, seededRandom } from './seeded-random.ts';

/**
 * A remote service that keeps addresses to call: `GET`, `POST` and `DELETE /hooks`. While `isFlaky`, it refuses some requests, and does what others ask without
 * saying so: it hangs up.
 */
export class HookService {
  isFlaky = false;
  readonly #random: Random;
  readonly #server: Server;
  readonly #hooks = new Map<string, string>();
  #lastId = 0;

  private constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(seed: number): Promise<HookService> {
    const service = new HookService(seed);
    service.#server.listen(0, '127.0.0.1');
    await once(service.#server, 'listening');
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Addresses that are registered, sorted; one that is so twice is there twice. */
  get addresses(): string[] {
    return [...this.#hooks.values()].toSorted();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const mood = this.isFlaky ? this.#random() : 1;
    let body = '';
    for await (const chunk of request) body += chunk;
    if (mood < 0.2) {
      response.writeHead(503).end('{"error":"busy"}');
      return;
    }
    const result = this.#serve(request, body);
    if (mood < 0.4) request.socket.destroy();
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
  if (response.status > 299) throw new Error('the service answered ' + response.status);
  return JSON.parse(Buffer.from(response.body).toString());
};
const find = async (context) => (await ask(context, 'GET', '/hooks')).find(({ url }) => url === context.webhookUrl());
export default {
  description: {
    displayName: 'Hook', name: 'hook', group: ['trigger'], version: 1, description: 'For tests', defaults: { name: 'Hook' },
    inputs: [], outputs: ['main'], properties: [{ displayName: 'Service', name: 'service', type: 'string', default: '' }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'events' }],
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

/** `hooks.hook` registers its address at a hook service while its workflow is active. */
export const hookPackage: PackageSources = { hooks: { 'hook.js': hook } };
