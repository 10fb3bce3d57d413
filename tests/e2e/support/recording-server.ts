import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface Answer {
  status?: number;
  /** Bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  contentType?: string;
}

/** A loopback HTTP server that records requests; 404 for paths without a response. */
export class RecordingServer {
  readonly requests: RecordedRequest[] = [];
  readonly #answers = new Map<string, (request: RecordedRequest) => Answer>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (message, response) => {
      const request = await record(message);
      this.requests.push(request);
      const { pathname } = new URL(request.path, 'http://loopback');
      const answer = this.#answers.get(`${request.method} ${pathname}`)?.(request) ?? {
        status: 404,
        body: { error: 'no such thing' },
      };
      const { status = 200, body = {}, contentType = 'application/json' } = answer;
      response.writeHead(status, { 'content-type': contentType }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
    });
  }

  static async start(): Promise<RecordingServer> {
    const recording = new RecordingServer();
    recording.#server.listen(0, '127.0.0.1');
    await once(recording.#server, 'listening');
    return recording;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** @param route such as `GET /people` */
  answer(route: string, answer: Answer | ((request: RecordedRequest) => Answer)): void {
    this.#answers.set(route, typeof answer === 'function' ? answer : () => answer);
  }

  /** Deletes requests and responses. */
  reset(): void {
    this.requests.length = 0;
    this.#answers.clear();
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

async function record(message: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const { method = '', url = '', headers } = message;
  return { method, path: url, headers, body: Buffer.concat(chunks) };
}
