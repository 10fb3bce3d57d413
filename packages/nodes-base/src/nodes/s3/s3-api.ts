import {
  assertUrlLength,
  type ExecuteContext,
  gatherBytes,
  type HttpRequest,
  isJsonObject,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  withHeaders,
} from '@sluice/node-sdk';
import { contentHash, unsignedPayload } from '../../credentials/shared/aws-signature.ts';
import { resultTooLarge } from '../../shared/byte-budget.ts';
import { assertPlainPath } from '../../shared/http/assert-plain-path.ts';
import { itemError } from '../../shared/http/item-error.ts';
import { readServiceXml } from '../../shared/read-service-xml.ts';

/** Endpoint of a credential's buckets. */
export interface S3Place {
  /** Without a path. */
  endpoint: string;
  /** Whether bucket names are in the path rather than in the host name. */
  inPath: boolean;
}

/** A request to S3; `headers` are S3's own, `x-amz-…`. */
export interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Absent: the service itself. */
  bucket?: string;
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: HttpRequest['body'];
}

const maxResponseBytes = 16 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

/** Sends requests to an S3-compatible service, signed with an item's credential. */
export class S3Api {
  readonly #context: ExecuteContext;
  readonly #credential: string;
  readonly #place: S3Place;
  readonly #itemIndex: number;

  constructor(context: ExecuteContext, credential: string, place: S3Place, itemIndex: number) {
    this.#context = context;
    this.#credential = credential;
    this.#place = place;
    this.#itemIndex = itemIndex;
  }

  /**
   * Root element of the response; an empty object if there is no body. Throws a `NodeApiError` with
   * the service's message.
   */
  async call(request: S3Request): Promise<JsonObject> {
    return this.stream(request, async (body) => {
      const root = await readServiceXml(this.#context, await textOf(body, maxResponseBytes));
      // A copy may fail after the response has started.
      if (isJsonObject(root['Error'])) throw this.#refused(200, root['Error']);
      return Object.values(root).find(isJsonObject) ?? {};
    });
  }

  /** Resolves to the result of `read` for the response body. */
  async stream<T>(request: S3Request, read: (body: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> {
    const { signal, http } = this.#context;
    const authentication = await this.#context.authentication(this.#credential, this.#itemIndex);
    try {
      const sent: HttpRequest = { ...this.#toHttp(request), authentication, maxResponseBytes: Number.POSITIVE_INFINITY };
      return await http.stream(sent, signal, async ({ status, body }) => {
        if (status >= 200 && status < 300) return read(body);
        const refusal = await readServiceXml(this.#context, await textOf(body, maxErrorBytes)).catch((): JsonObject => ({}));
        throw this.#refused(status, isJsonObject(refusal['Error']) ? refusal['Error'] : {});
      });
    } catch (error) {
      signal.throwIfAborted();
      throw itemError(error, this.#itemIndex);
    }
  }

  #toHttp({ method, bucket, key = '', query = {}, headers = {}, body }: S3Request): HttpRequest {
    assertUrlLength([key, bucket ?? '', ...Object.entries(query).flat()]);
    this.#assertNames(bucket, key);
    const url = new URL(this.#place.endpoint);
    const path = key.split('/').map(encoded).join('/');
    if (bucket !== undefined && !this.#place.inPath) url.host = `${encoded(bucket)}.${url.host}`;
    url.pathname = bucket !== undefined && this.#place.inPath ? `/${encoded(bucket)}/${path}` : `/${path}`;
    url.search = Object.entries(query)
      .map((pair) => pair.map(encoded).join('='))
      .join('&');
    const request: HttpRequest = { method, url: url.href, ...(body !== undefined && { body }) };
    const isStreamed = typeof body === 'object' && 'open' in body;
    return withHeaders(request, [...Object.entries(headers), ...(isStreamed ? [[contentHash, unsignedPayload] as const] : [])]);
  }

  /** Other names would resolve to another bucket, or to the service itself. */
  #assertNames(bucket: string | undefined, key: string): void {
    assertPlainPath(`/${key}`, this.#itemIndex);
    if (bucket === undefined || /^[a-z\d][\w.-]{0,254}$/i.test(bucket)) return;
    throw new NodeOperationError(`${JSON.stringify(bucket.slice(0, 100))} is not the name of a bucket`, {
      itemIndex: this.#itemIndex,
      description: 'A name has letters, digits, "-", "_" and ".", and begins with a letter or digit',
    });
  }

  #refused(status: number, { Code: code, Message: message }: JsonObject): NodeApiError {
    const words = typeof message === 'string' && message !== '' ? message : `the service returned with status ${status}`;
    return new NodeApiError(words, {
      itemIndex: this.#itemIndex,
      details: { status, ...(typeof code === 'string' && { code }) },
      description: 'Check the names of the bucket and file, and the permissions of the credential',
    });
  }
}

/** Encoded as the signature requires (RFC 3986). */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

async function textOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const gathered = await gatherBytes(body, maxBytes);
  if (gathered.length > maxBytes) throw resultTooLarge(maxBytes);
  return gathered.bytes().toString();
}

/** Child elements with a name, always as a list. */
export function elementsOf(parent: JsonObject, name: string): JsonObject[] {
  return [parent[name] ?? []].flat().filter(isJsonObject);
}
