import {
  type BinaryReference,
  type ExecuteContext,
  encodeForm,
  encodeQuery,
  gatherBytes,
  type HttpRequest,
  type HttpResponse,
  headerText,
  type JsonObject,
  type JsonValue,
  type MethodContext,
  NodeOperationError,
  parseJson,
  stringifyJson,
} from '@sluice/node-sdk';
import {
  assertPlainPath,
  type FormPart,
  itemError,
  multipartBody,
  pause,
  responseFileName,
} from '@sluice/nodes-base/node-tools';
import { asText } from './json-values.ts';
import { type Refusal, refusedError } from './refusal.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * The part of a node context that a request needs. A `MethodContext` provides it; see also
 * `accessOf`.
 */
export interface ApiAccess
  extends Pick<MethodContext, 'http' | 'signal' | 'typeVersion' | 'parameter' | 'authentication' | 'credentials'> {
  /** For errors; absent outside runs. */
  itemIndex?: number;
  /** Bytes of all lists that the node run has read so far. Absent: each list has its own limit. */
  listed?: { bytes: number };
}

/** The access of one item in a run, or of a poll with its only item. */
export function accessOf(
  context: Pick<ExecuteContext, 'http' | 'signal' | 'typeVersion' | 'parameter' | 'authentication' | 'credentials'>,
  itemIndex: number,
): ApiAccess {
  return {
    http: context.http,
    signal: context.signal,
    typeVersion: context.typeVersion,
    itemIndex,
    parameter: (path, fallback) => context.parameter(path, itemIndex, fallback),
    authentication: (type) => context.authentication(type, itemIndex),
    credentials: (type) => context.credentials(type, itemIndex),
  };
}

type QueryValue = JsonValue | undefined;

/** A request to a service, with at most one kind of body. */
export interface ApiRequest {
  /** Default: `POST` with a body, else `GET`. */
  method?: 'COPY' | 'DELETE' | 'GET' | 'MKCOL' | 'MOVE' | 'PATCH' | 'POST' | 'PROPFIND' | 'PUT';
  /**
   * Appended to the service's base URL; or an absolute URL. Encode values with
   * `encodeURIComponent`.
   */
  path: string;
  /** Undefined values, null, and empty text are omitted; a list repeats its name. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON, without its undefined members. */
  json?: JsonValue | Readonly<Record<string, JsonValue | undefined>>;
  /** Sent URL-encoded. */
  form?: Readonly<Record<string, string>>;
  /** Sent as `multipart/form-data`; files are streamed. */
  parts?: { readonly from: ExecuteContext['binary']; readonly list: readonly FormPart[] };
  /** Sent unchanged. */
  bytes?: { readonly body: NonNullable<HttpRequest['body']>; readonly contentType: string };
  headers?: Readonly<Record<string, string>>;
  /** Longest wait for the response, in milliseconds. */
  timeoutMs?: number;
  /** Statuses besides 2xx that are not errors. */
  accepts?: readonly number[];
}

/** A service's response. */
export interface ApiResponse extends Omit<HttpResponse, 'body'> {
  /** Parsed JSON, text, or `undefined` if empty. */
  body: JsonValue | undefined;
  /** Start of the body as text, for errors. */
  start: string;
  byteLength: number;
}

/** Name and type of a file that are known before its download. */
export interface DownloadedFile {
  fileName?: string;
  mimeType?: string;
  /** Whether the type is derived from the name, because the service reports another type. */
  isTypeOfName?: boolean;
  /** Folder of the file at the service. */
  directory?: string;
}

interface ApiDefinition {
  /** Service name in errors. */
  service: string;
  /** Name of a node's credential type; `undefined`: requests are not authenticated. */
  credentialType: string | ((access: ApiAccess) => string | undefined);
  /** Without a trailing slash. A function receives the credential's data. */
  baseUrl: string | ((credential: JsonObject) => string);
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>;
  /** Code, text, and hint of an error response: a status other than 2xx. */
  refusalOf?(response: ApiResponse): Refusal | undefined;
  /** 2xx responses may be errors: `refusalOf` returns `undefined` for successful ones. */
  refusesWithSuccess?: boolean;
}

/** A response that the service defines as an error. */
class Refused {
  readonly response: ApiResponse;
  readonly refusal: Refusal;

  constructor(response: ApiResponse, refusal: Refusal) {
    this.response = response;
    this.refusal = refusal;
  }
}

/**
 * Maximum number of attempts for one request, and maximum total pause, when a service limits the
 * rate.
 */
const maxAttempts = 5;
const maxPauseMs = 60_000;

/** Sends a service's requests: address, credential, rate limit, errors. */
export class ApiClient {
  readonly #definition: ApiDefinition;

  constructor(definition: ApiDefinition) {
    this.#definition = definition;
  }

  /**
   * Resolves to the response body. Throws `NodeApiError` for an error response, and the errors of
   * `HttpClient`.
   */
  async send(access: ApiAccess, request: ApiRequest): Promise<JsonValue | undefined> {
    return (await this.exchange(access, request)).body;
  }

  /** Like `send`, with status and headers. */
  async exchange(access: ApiAccess, request: ApiRequest): Promise<ApiResponse> {
    return this.#sendUntilAllowed(access, request, async (sent) => {
      const { body, ...head } = await access.http.request(sent, access.signal);
      const response = { ...head, ...(await parsedBody(body, access.itemIndex)) };
      const refusal = request.accepts?.includes(response.status) ? undefined : this.#refusalOf(response);
      return refusal ? new Refused(response, refusal) : response;
    });
  }

  /**
   * Downloads a file as a stream into the store; the name defaults to the one in the response.
   * Throws like `send`.
   */
  async download(
    access: ApiAccess,
    request: ApiRequest,
    binary: Pick<ExecuteContext['binary'], 'store'>,
    file: DownloadedFile = {},
  ): Promise<BinaryReference> {
    return this.#sendUntilAllowed(access, request, (sent) =>
      access.http.stream({ ...sent, maxRedirects: 5 }, access.signal, async ({ body, ...head }) => {
        if (!isSuccess(head)) {
          const response = { ...head, ...(await parsedBody(await firstBytes(body), access.itemIndex)) };
          return new Refused(response, this.#refusalOf(response) ?? {});
        }
        const fileName = file.fileName || responseFileName({ headers: head.headers, url: head.url });
        const type = file.isTypeOfName ? '' : file.mimeType || typeOf(head.headers);
        const stored = await binary.store(body, { ...(fileName && { fileName }), ...(type && { mimeType: type }) });
        return { ...stored, ...(file.directory && { directory: file.directory }) };
      }),
    );
  }

  /**
   * Sends a request, and retries it after each pause that the service requests, within the limits
   * above.
   */
  async #sendUntilAllowed<T>(
    access: ApiAccess,
    request: ApiRequest,
    sendOnce: (sent: HttpRequest) => Promise<T | Refused>,
  ): Promise<T> {
    let pausedMs = 0;
    for (let attempt = 1; ; attempt++) {
      const sent = await this.#toHttp(access, request);
      const result = await explained(access, () => sendOnce(sent));
      if (!(result instanceof Refused)) return result;
      const { response, refusal } = result;
      const waitMs = retryAfterMs(response, refusal, attempt);
      if (waitMs === undefined || attempt === maxAttempts || pausedMs + waitMs > maxPauseMs)
        throw refusedError(this.#definition.service, response, refusal, { itemIndex: access.itemIndex, waitMs });
      pausedMs += waitMs;
      await pause(waitMs, access.signal);
    }
  }

  #refusalOf(response: ApiResponse): Refusal | undefined {
    const { refusalOf, refusesWithSuccess = false } = this.#definition;
    if (isSuccess(response)) return refusesWithSuccess ? refusalOf?.(response) : undefined;
    return refusalOf?.(response) ?? {};
  }

  async #toHttp(access: ApiAccess, request: ApiRequest): Promise<HttpRequest> {
    const { credentialType, baseUrl, headers } = this.#definition;
    const type = typeof credentialType === 'string' ? credentialType : credentialType(access);
    const authentication = type === undefined ? undefined : await access.authentication(type);
    const base = typeof baseUrl === 'string' ? baseUrl : baseUrl(type === undefined ? {} : await access.credentials(type));
    assertPlainPath(request.path, access.itemIndex);
    const { body, contentType } = await bodyOf(request);
    return {
      method: request.method ?? (body === undefined ? 'GET' : 'POST'),
      url: addressOf(base, request),
      headers: { ...headers, ...(contentType !== undefined && { 'content-type': contentType }), ...request.headers },
      ...(body !== undefined && { body }),
      ...(authentication && { authentication }),
      ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
    };
  }
}

/** Adds item and hint to HTTP client errors. */
async function explained<T>({ signal, itemIndex }: ApiAccess, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw itemIndex === undefined ? error : itemError(error, itemIndex);
  }
}

const isSuccess = ({ status }: Pick<HttpResponse, 'status'>): boolean => status >= 200 && status <= 299;

function addressOf(base: string, { path, query = {} }: ApiRequest): string {
  const address = /^https?:\/\//.test(path) ? path : `${base}${path}`;
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (isAbsent(one) ? [] : [[name, asText(one)]])),
  );
  const text = encodeQuery(pairs);
  return text === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${text}`;
}

function isAbsent(value: QueryValue): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

async function bodyOf({ json, form, parts, bytes }: ApiRequest): Promise<{ body?: HttpRequest['body']; contentType?: string }> {
  if (json !== undefined) return { body: await stringifyJson(json), contentType: 'application/json' };
  if (form) return { body: await encodeForm(Object.entries(form)), contentType: 'application/x-www-form-urlencoded' };
  return parts ? multipartBody(parts.from, parts.list) : (bytes ?? {});
}

/** Many services send every file as a generic byte type; the type is then derived from the name. */
function typeOf(headers: HttpResponse['headers']): string {
  const type = headerText(headers, 'content-type').split(';', 1).join().trim();
  return type === 'application/octet-stream' ? '' : type;
}

/** Bytes of an error body that are included in its details. */
const shownBytes = 2_048;

async function parsedBody(
  bytes: Uint8Array,
  itemIndex: number | undefined,
): Promise<Pick<ApiResponse, 'body' | 'start' | 'byteLength'>> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = { start: buffer.subarray(0, shownBytes).toString(), byteLength: buffer.length };
  if (buffer.length === 0) return { body: undefined, ...head };
  const text = buffer.toString();
  try {
    return { body: (await parseJson(text)) as JsonValue, ...head };
  } catch (cause) {
    if (cause instanceof SyntaxError) return { body: text, ...head };
    const description = 'Request less at a time';
    throw new NodeOperationError('the service response cannot be read', { itemIndex, description, cause });
  }
}

const maxErrorBytes = 64 * 1024;

async function firstBytes(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  return (await gatherBytes(body, maxErrorBytes)).bytes().subarray(0, maxErrorBytes);
}
