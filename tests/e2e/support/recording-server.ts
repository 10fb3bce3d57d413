import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackService } from '@sluice/http-client/testing';

export interface RecordedRequest {
  method: string;
  /** Path with query. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface RecordedResponse {
  status?: number;
  /** Bytes are sent unchanged, other values as JSON. */
  body?: unknown;
  contentType?: string;
}

/** A loopback HTTP server that records requests. Paths without a response return 404. */
export class RecordingServer extends LoopbackService {
  readonly requests: RecordedRequest[] = [];
  readonly #responses = new Map<string, (request: RecordedRequest) => RecordedResponse>();

  static start(): Promise<RecordingServer> {
    return new RecordingServer().listen();
  }

  /** @param route Such as `GET /people`. */
  respond(route: string, result: RecordedResponse | ((request: RecordedRequest) => RecordedResponse)): void {
    this.#responses.set(route, typeof result === 'function' ? result : () => result);
  }

  /** Clears requests and responses. */
  reset(): void {
    this.requests.length = 0;
    this.#responses.clear();
  }

  protected async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await record(message);
    this.requests.push(request);
    const { pathname } = new URL(request.path, 'http://loopback');
    const reply = this.#responses.get(`${request.method} ${pathname}`)?.(request) ?? {
      status: 404,
      body: { error: 'no such thing' },
    };
    const { status = 200, body = {}, contentType = 'application/json' } = reply;
    response.writeHead(status, { 'content-type': contentType }).end(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }
}

async function record(message: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const { method = '', url = '', headers } = message;
  return { method, path: url, headers, body: Buffer.concat(chunks) };
}
