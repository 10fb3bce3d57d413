import { isJsonObject, type JsonObject, type JsonValue, ownProperty, stringifyJson, userKeyed } from '@sluice/domain';
import { encodeQuery } from '../http/form-text.ts';
import type { HttpAuthentication, HttpRequest } from '../http/http.ts';
import type { RoutingPart } from './collect-routing.ts';
import { isPresent, type RoutingResolver } from './resolve-routing.ts';
import type {
  FunctionPagination,
  GenericPagination,
  OffsetPagination,
  PostReceive,
  PreSend,
  RoutingRequest,
} from './routing.ts';

/** A function or a declared step, with the names for its expressions. */
export interface ReceiveStep {
  step: PostReceive;
  names: JsonObject;
}

/** The resolved result of an item's routings. */
export class RoutedRequest {
  method = 'GET';
  baseURL = '';
  url = '';
  headers: JsonObject = userKeyed([]);
  qs: JsonObject = userKeyed([]);
  body: JsonObject = userKeyed([]);
  timeoutMs: number | undefined;
  #ignoredErrors: NonNullable<RoutingRequest['ignoreHttpStatusErrors']> = false;
  paginates = false;
  maxResults: number | undefined;
  pagination: OffsetPagination | GenericPagination | FunctionPagination | undefined;
  readonly preSend: PreSend[] = [];
  readonly steps: ReceiveStep[] = [];
  /** Objects that `put` created. */
  readonly #copies = new Set<JsonObject>();

  /** Merges a request into the current one. */
  async merge(request: RoutingRequest, resolver: RoutingResolver, names: JsonObject = {}): Promise<void> {
    const resolved = (await resolver.resolve(request as JsonObject, names)) as RoutingRequest;
    this.method = resolved.method ?? this.method;
    this.baseURL = resolved.baseURL ?? this.baseURL;
    this.url = resolved.url ?? this.url;
    for (const part of ['headers', 'qs', 'body'] as const) {
      const value: unknown = resolved[part];
      if (isJsonObject(value)) this[part] = userKeyed([...Object.entries(this[part]), ...Object.entries(value)]);
    }
    this.timeoutMs = resolved.timeout ?? this.timeoutMs;
    this.#ignoredErrors = resolved.ignoreHttpStatusErrors ?? this.#ignoredErrors;
  }

  /** Whether a response with this status is not an error. */
  accepts(status: number): boolean {
    if (status >= 200 && status <= 299) return true;
    const ignored = this.#ignoredErrors;
    if (typeof ignored === 'boolean') return ignored;
    return ignored.ignore === true && ![ignored.except ?? []].flat().includes(status);
  }

  async add({ routing, names }: RoutingPart, resolver: RoutingResolver): Promise<void> {
    const { request, send, output, operations } = routing;
    if (request) await this.merge(request, resolver, names);
    if (isPresent(send?.property)) {
      const value = send?.value === undefined ? (names['$value'] ?? null) : await resolver.resolve(send.value, names);
      const name = await resolver.text(send.property, names);
      const path = send.propertyInDotNotation === false ? [name] : name.split('.');
      this.put(send.type ?? 'body', path, value);
    }
    if (send?.paginate !== undefined) this.paginates = (await resolver.resolve(send.paginate, names)) === true;
    if (isPresent(output?.maxResults)) this.maxResults = await resolver.limit(output.maxResults, names);
    this.preSend.push(...(send?.preSend ?? []));
    this.steps.push(...(output?.postReceive ?? []).map((step) => ({ step, names })));
    this.pagination = operations?.pagination ?? this.pagination;
  }

  /**
   * Copies an object on the path only at its first change: a list of values may have thousands of
   * entries.
   */
  put(part: 'body' | 'query', path: readonly string[], value: JsonValue): void {
    const target = part === 'query' ? 'qs' : 'body';
    let object = this.#changeable(this[target]);
    this[target] = object;
    for (const name of path.slice(0, -1)) {
      const inner = this.#changeable(ownProperty(object, name));
      object[name] = inner;
      object = inner;
    }
    object[path.at(-1) ?? ''] = value;
  }

  #changeable(value: JsonValue | undefined): JsonObject {
    if (isJsonObject(value) && this.#copies.has(value)) return value;
    const copy: JsonObject = userKeyed(isJsonObject(value) ? Object.entries(value) : []);
    this.#copies.add(copy);
    return copy;
  }

  /** Throws `HTTP_INVALID_URL` if the query is too long. */
  async toHttp(authentication: HttpAuthentication | undefined): Promise<HttpRequest> {
    const hasBody = Object.keys(this.body).length > 0;
    const headers = Object.entries(this.headers).map(([name, value]): [string, string] => [name, textOf(value)]);
    const hasType = headers.some(([name]) => name.toLowerCase() === 'content-type');
    return {
      method: this.method.toUpperCase(),
      url: this.#address(),
      headers: userKeyed([
        ...headers,
        ...(hasBody && !hasType ? [['content-type', 'application/json'] as [string, string]] : []),
      ]),
      ...(hasBody && { body: await stringifyJson(this.body) }),
      ...(this.timeoutMs !== undefined && { timeoutMs: this.timeoutMs }),
      ...(authentication && { authentication }),
    };
  }

  #address(): string {
    const isAbsolute = /^https?:\/\//i.test(this.url);
    const address = isAbsolute || this.baseURL === '' ? this.url : joined(this.baseURL, this.url);
    const pairs = Object.entries(this.qs).flatMap(([name, value]) => [value].flat().map((one) => [name, textOf(one)] as const));
    const query = encodeQuery(pairs);
    return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
  }
}

function joined(base: string, url: string): string {
  return url === '' ? base : `${base.replace(/(?<!\/)\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
