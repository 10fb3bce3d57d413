import { isUtf8 } from 'node:buffer';
import { userKeyed } from '@sluice/domain';
import type { WebhookRequest, WebhookRequestContext, WebhookResponse } from '@sluice/node-sdk';
import { isLight, lightData, plainDataInSlices } from '../plain-data.ts';

/** A webhook request in the packages' format: the part of an Express request that they use. */
export function requestObject(request: WebhookRequest, body: unknown = request.body) {
  const { method, url, target, headers, query, params, rawBody, address } = request;
  const header = (name: string) => headers[name.toLowerCase()];
  const bytes = Buffer.from(rawBody);
  const parsed = URL.parse(url, 'http://localhost');
  const protocol = parsed?.protocol.replace(':', '') ?? 'http';
  return {
    method,
    url: target,
    originalUrl: target,
    baseUrl: '',
    path: parsed?.pathname ?? url,
    protocol,
    secure: protocol === 'https',
    hostname: parsed?.hostname ?? '',
    host: parsed?.host ?? '',
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

/** Text is kept as text so that stored responses are readable; other bytes are sent unchanged. */
function bodyOf(bytes: Buffer): WebhookResponse['body'] {
  return isUtf8(bytes) ? { kind: 'text', text: bytes.toString() } : { kind: 'bytes', base64: bytes.toString('base64') };
}

/** The name of a response body in errors. */
const bodyName = 'the response body';

/**
 * A webhook response in the packages' format: the part of an Express response that they use. Only
 * the first response is sent. A large body is copied in time slices before it is sent.
 */
export class ResponseObject {
  statusCode = 200;
  headersSent = false;
  /** Written parts, sent at the end. */
  readonly #written: Buffer[] = [];
  readonly #headers: Record<string, string | string[]> = userKeyed();
  readonly #respond: WebhookRequestContext['respond'];
  #sent: Promise<void> = Promise.resolve();

  constructor({ respond }: Pick<WebhookRequestContext, 'respond'>) {
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

  writeHead(code: number, headers: Record<string, unknown> = {}): this {
    return this.status(code).set(headers);
  }

  set(name: string | Record<string, unknown>, value: unknown = ''): this {
    const pairs = typeof name === 'string' ? { [name]: value } : name;
    for (const [key, one] of Object.entries(pairs))
      this.#headers[key.toLowerCase()] = Array.isArray(one) ? one.map(String) : String(one);
    return this;
  }

  setHeader(name: string, value: unknown): this {
    return this.set(name, value);
  }

  header(name: string | Record<string, unknown>, value?: unknown): this {
    return this.set(name, value);
  }

  type(value: string): this {
    return this.set('content-type', value);
  }

  json(body: unknown): this {
    return this.#sendOnce((send) => {
      if (isLight(body)) return send({ kind: 'json', json: lightData(body, bodyName) ?? null });
      this.#sent = this.#sendLarge(body, send);
      // `sent` reports the error, but a package that responds after it returned does not await
      // `sent`.
      this.#sent.catch(() => undefined);
    });
  }

  /**
   * Resolves once the response is sent, or immediately if no response was started. Rejects if its
   * body is not JSON, or is too large.
   */
  sent(): Promise<void> {
    return this.#sent;
  }

  send(body?: unknown): this {
    if (body === undefined || body === '') return this.#send({ kind: 'none' });
    if (typeof body === 'string') return this.#send({ kind: 'text', text: body });
    return body instanceof Uint8Array ? this.#send(bodyOf(Buffer.from(body))) : this.json(body);
  }

  /** Written parts are sent together at the end. */
  write(chunk: string | Uint8Array, encoding?: BufferEncoding): boolean {
    this.#written.push(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk));
    return true;
  }

  end(body?: unknown): this {
    if (this.#written.length === 0) return this.send(body);
    if (typeof body === 'string' || body instanceof Uint8Array) this.write(body);
    return this.send(Buffer.concat(this.#written.splice(0)));
  }

  /** The status may be the first argument. */
  redirect(...args: [string] | [number, string]): this {
    const [status, address] = args.length === 2 ? args : [302, args[0]];
    return this.status(status).location(address).send('');
  }

  location(address: string): this {
    return this.set('location', address);
  }

  getHeader(name: string): string | string[] | undefined {
    return this.#headers[name.toLowerCase()];
  }

  get(name: string): string | string[] | undefined {
    return this.getHeader(name);
  }

  removeHeader(name: string): void {
    delete this.#headers[name.toLowerCase()];
  }

  /** The client gets a 500 if the body cannot be sent, even if nothing awaits `sent`. */
  async #sendLarge(body: unknown, send: (body: WebhookResponse['body']) => void): Promise<void> {
    try {
      send({ kind: 'json', json: (await plainDataInSlices(body, bodyName)) ?? null });
    } catch (error) {
      this.#respond({ status: 500, headers: {}, body: { kind: 'json', json: { message: `${bodyName} cannot be sent` } } });
      throw error;
    }
  }

  #send(body: WebhookResponse['body']): this {
    return this.#sendOnce((send) => send(body));
  }

  /** `begin` receives a function that sends a body with the current status and headers. */
  #sendOnce(begin: (send: (body: WebhookResponse['body']) => void) => void): this {
    const [status, headers] = [this.statusCode, userKeyed(Object.entries(this.#headers))];
    if (!this.headersSent) begin((body) => this.#respond({ status, headers, body }));
    this.headersSent = true;
    return this;
  }
}
