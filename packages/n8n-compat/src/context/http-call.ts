import { userKeyed } from '@sluice/domain';
import type { WebhookAnswer, WebhookCallContext, WebhookRequest } from '@sluice/node-sdk';
import { plainData } from '../plain-data.ts';

/** A call as packages see it: what they use of an Express request. */
export function requestObject(request: WebhookRequest) {
  const { method, url, headers, query, params, body, rawBody, address } = request;
  const header = (name: string) => headers[name.toLowerCase()];
  const bytes = Buffer.from(rawBody);
  const path = URL.parse(url, 'http://localhost')?.pathname ?? url;
  return {
    method,
    url: path,
    originalUrl: path,
    path,
    ip: address,
    headers,
    query,
    params,
    body,
    rawBody: bytes,
    contentType: header('content-type'),
    get: header,
    header,
    readRawBody: async () => bytes,
  };
}

/** The answer to a call as packages make it: what they use of an Express response. The first answer counts. */
export class ResponseObject {
  statusCode = 200;
  headersSent = false;
  readonly #headers: Record<string, string> = userKeyed();
  readonly #respond: WebhookCallContext['respond'];

  constructor({ respond }: Pick<WebhookCallContext, 'respond'>) {
    this.#respond = respond;
  }

  get writableEnded(): boolean {
    return this.headersSent;
  }

  status(code: number): this {
    this.statusCode = code;
    return this;
  }

  sendStatus(code: number): this {
    return this.status(code).send('');
  }

  writeHead(code: number, headers: Record<string, string> = {}): this {
    return this.status(code).set(headers);
  }

  set(name: string | Record<string, string>, value: unknown = ''): this {
    const pairs = typeof name === 'string' ? { [name]: value } : name;
    for (const [key, one] of Object.entries(pairs)) this.#headers[key.toLowerCase()] = String(one);
    return this;
  }

  setHeader(name: string, value: unknown): this {
    return this.set(name, value);
  }

  header(name: string | Record<string, string>, value?: unknown): this {
    return this.set(name, value);
  }

  type(value: string): this {
    return this.set('content-type', value);
  }

  json(body: unknown): this {
    return this.#send({ kind: 'json', json: plainData(body) ?? null });
  }

  send(body?: unknown): this {
    if (body === undefined || body === '') return this.#send({ kind: 'none' });
    if (typeof body === 'string') return this.#send({ kind: 'text', text: body });
    return body instanceof Uint8Array ? this.#send({ kind: 'text', text: Buffer.from(body).toString() }) : this.json(body);
  }

  end(body?: unknown): this {
    return this.send(body);
  }

  #send(body: WebhookAnswer['body']): this {
    if (!this.headersSent) this.#respond({ status: this.statusCode, headers: this.#headers, body });
    this.headersSent = true;
    return this;
  }
}
