import { Agent, type IncomingMessage, request } from 'node:http';
import type { HostileRequest } from './hostile-requests.ts';

export interface WireResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** Sends requests unchanged; `fetch` would normalize them. Connections are kept alive. */
export class Wire {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #url: string;
  readonly #key: string;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /**
   * Returns only the headers of a stream that does not end. Rejects if there is no response within
   * ten seconds.
   */
  send({ method, path, headers, body }: HostileRequest): Promise<WireResponse> {
    const { hostname, port } = new URL(this.#url);
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          hostname,
          port,
          method,
          path: `/api/v1${path}`,
          agent: this.#agent,
          timeout: 10_000,
          headers: { 'x-service-api-key': this.#key, ...headers, ...(body === undefined ? {} : lengthOf(body)) },
        },
        (response) => void read(response).then(resolve, reject),
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error('no response')));
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function lengthOf(body: string): { 'content-length': number } {
  return { 'content-length': Buffer.byteLength(body) };
}

async function read(response: IncomingMessage): Promise<WireResponse> {
  const headers = new Headers(response.headersDistinct as unknown as Record<string, string>);
  const status = response.statusCode ?? 0;
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    response.destroy();
    return { status, headers, text: '' };
  }
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
  return { status, headers, text };
}
