import assert from 'node:assert/strict';
import { createHttpClient } from '@sluice/http-client';
import type { HttpClient, HttpRequest, HttpResponse, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type HttpTestServer, httpServer, type Received } from '@sluice/nodes-base/testing';
import { Ajv, type AnySchema } from 'ajv';

/** Query or form text values; a list if a name repeats. */
type Fields = Record<string, string | string[]>;

/** A validated request to an API operation. */
interface ApiCall {
  /** Values of the path's `:name` parts. */
  params: Record<string, string>;
  query: Fields;
  /** Fields of a JSON body or a form; a form's files are `{ name, type, text }`. */
  body: JsonValue;
  headers: Received['headers'];
  /** Calls of the operation so far, including this one. */
  count: number;
}

interface ApiAnswer {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string | Buffer;
}

/** An operation of a provider's public API. */
export interface ApiRoute {
  /** JSON Schema of the query; without a schema, no parameter is allowed. */
  query?: AnySchema;
  /** JSON Schema of the body; without a schema, no body is allowed. */
  body?: AnySchema;
  /** Media type of the body; default `application/json`. */
  type?: RegExp;
  /** Patterns of required headers, in addition to the patterns for all operations. */
  headers?: Record<string, RegExp>;
  answer(call: ApiCall): ApiAnswer | Promise<ApiAnswer>;
}

export interface ApiServer extends Pick<HttpTestServer, 'origin' | 'received'> {
  /**
   * A client whose requests to `baseUrl` arrive here, with their credential as the provider would
   * receive it.
   */
  http: HttpClient;
  /** Origin of the provider, as given. */
  baseUrl: string | undefined;
  /** Whether the API has an operation for the method and path. */
  has(method: string, pathname: string): boolean;
  /** Replaces operation responses until the test ends: `POST /sendMessage` → response. */
  on(route: string, answer: ApiRoute['answer']): void;
  /**
   * Throws if a request did not match the API, and clears requests and replaced responses. Call it
   * after each test.
   */
  verify(): void;
  close(): Promise<void>;
}

const ajv = new Ajv({ strict: false, allErrors: true });

/**
 * A server on the loopback that accepts what a provider documents, and nothing else: another path,
 * method, header, or field gets a 400 and fails the test in `verify`.
 *
 * @param routes `METHOD /path/:param` → operation; `::` is a colon.
 */
export async function apiServer({
  baseUrl,
  headers = {},
  routes,
}: {
  /** Origin of the provider, such as `https://api.example.com`. */
  baseUrl?: string;
  /** Header patterns that every request must match. */
  headers?: Record<string, RegExp>;
  routes: Readonly<Record<string, ApiRoute>>;
}): Promise<ApiServer> {
  const problems: string[] = [];
  const replaced = new Map<string, ApiRoute['answer']>();
  const counts = new Map<string, number>();
  const server = await httpServer(async (request, response) => {
    const {
      status = 200,
      json,
      text,
      headers: sent,
    } = await answerTo(request).catch((error: unknown): ApiAnswer => {
      problems.push(`${request.method} ${request.url}: ${error instanceof Error ? error.message : error}`);
      return { status: 400, text: 'not in the API' };
    });
    const type = text === undefined ? { 'content-type': 'application/json' } : {};
    response.writeHead(status, { ...type, ...sent }).end(text ?? (json === undefined ? undefined : JSON.stringify(json)));
  });

  async function answerTo(request: Received): Promise<ApiAnswer> {
    const { pathname, searchParams } = new URL(request.url, server.origin);
    const match = findRoute(routes, request.method, pathname);
    assert.ok(match, 'there is no such operation');
    const { name, route, params } = match;
    for (const [header, pattern] of Object.entries({ ...headers, ...route.headers }))
      assert.match(String(request.headers[header] ?? ''), pattern, `header ${header}`);
    const query = fieldsOf([...searchParams]);
    check(route.query ?? { maxProperties: 0 }, query, 'query');
    const body = await bodyOf(request, route);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return (replaced.get(name) ?? route.answer)({ params, query, body, headers: request.headers, count });
  }

  const http = loopbackClient(server.origin, baseUrl);
  return {
    origin: server.origin,
    received: server.received,
    http,
    baseUrl,
    has: (method, pathname) => findRoute(routes, method, pathname) !== undefined,
    on(route, answer) {
      assert.ok(Object.hasOwn(routes, route), `the server has no route ${route}`);
      replaced.set(route, answer);
    },
    verify() {
      const openProblems = problems.splice(0);
      replaced.clear();
      counts.clear();
      server.received.splice(0);
      assert.deepEqual(openProblems, []);
    },
    close: async () => {
      await Promise.all([server.close(), http.close()]);
    },
  };
}

function findRoute(routes: Readonly<Record<string, ApiRoute>>, method: string, pathname: string) {
  for (const [name, route] of Object.entries(routes)) {
    const [wanted, pattern = ''] = name.split(' ');
    const source = pattern
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/::|:(\w+)/g, (_, part?: string) => (part ? `(?<${part}>[^/]+)` : ':'));
    const match = wanted === method ? new RegExp(`^${source}$`).exec(pathname) : null;
    if (match)
      return {
        name,
        route,
        params: Object.fromEntries(Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)])),
      };
  }
  return undefined;
}

async function bodyOf({ body, headers }: Received, route: ApiRoute): Promise<JsonValue> {
  if (route.body === undefined) {
    assert.equal(body.length, 0, 'the operation has no body');
    return null;
  }
  const type = String(headers['content-type'] ?? '');
  assert.match(type, route.type ?? /^(application\/json|multipart\/form-data)/, 'content-type');
  const value = await parsed(body, type);
  check(route.body, value, 'body');
  return value;
}

async function parsed(body: Buffer, type: string): Promise<JsonValue> {
  if (/^application\/([\w.-]+\+)?json/.test(type)) return JSON.parse(body.toString()) as JsonValue;
  if (type.startsWith('application/x-www-form-urlencoded')) return fieldsOf([...new URLSearchParams(body.toString())]);
  if (!type.startsWith('multipart/form-data')) return body.toString();
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData();
  const entries = [...form].map(
    async ([name, value]): Promise<[string, JsonValue]> => [
      name,
      typeof value === 'string' ? value : { name: value.name, type: value.type, text: await value.text() },
    ],
  );
  return Object.fromEntries(await Promise.all(entries));
}

function fieldsOf(pairs: readonly [string, string][]): Fields {
  const fields: Fields = {};
  for (const [name, value] of pairs) fields[name] = name in fields ? [fields[name] ?? [], value].flat() : value;
  return fields;
}

function check(schema: AnySchema, value: unknown, what: string): void {
  const validate = ajv.compile(schema);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/**
 * Short form of a JSON Schema: an object with these properties; `required` are those with a `!` at
 * the end.
 */
export function fields(properties: Readonly<Record<string, AnySchema>>): JsonObject {
  const names = Object.keys(properties).map((name) => name.replace(/!$/, ''));
  const required = Object.keys(properties).flatMap((name) => (name.endsWith('!') ? [name.slice(0, -1)] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(Object.values(properties).map((schema, index) => [names[index] ?? '', schema as JsonValue])),
    required,
    additionalProperties: false,
  };
}

function loopbackClient(origin: string, baseUrl: string | undefined): HttpClient & { close(): Promise<void> } {
  const client = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
  const redirected = async ({ authentication, ...request }: HttpRequest, signal: AbortSignal): Promise<HttpRequest> => {
    if (baseUrl === undefined || !request.url.startsWith(baseUrl))
      return { ...request, ...(authentication && { authentication }) };
    authentication?.assertAllowed?.(request);
    const authenticated = (await authentication?.authenticate?.(request, signal)) ?? request;
    return { ...authenticated, url: `${origin}${authenticated.url.slice(baseUrl.length)}` };
  };
  return {
    guard: client.guard,
    request: async (request, signal): Promise<HttpResponse> => client.request(await redirected(request, signal), signal),
    stream: async (request, signal, read) => client.stream(await redirected(request, signal), signal, read),
    close: () => client.close(),
  };
}
