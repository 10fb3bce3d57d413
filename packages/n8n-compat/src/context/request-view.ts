import { type HttpRequest, parseJson } from '@sluice/node-sdk';
import { toHttpRequest } from './http-request.ts';
import { type HttpRequestOptions, planOf } from './request-options.ts';

/**
 * A request in the packages' format: the query is separate from the URL, and a JSON body is an
 * object.
 */
export async function toRequestOptions(
  request: HttpRequest,
): Promise<HttpRequestOptions & { headers: Record<string, unknown>; qs: Record<string, unknown> }> {
  const { method, headers = {}, body, timeoutMs } = request;
  const at = request.url.indexOf('?');
  const url = at === -1 ? request.url : request.url.slice(0, at);
  return {
    url,
    method: method.toUpperCase(),
    headers: { ...headers },
    qs: at === -1 ? {} : queryOf(new URLSearchParams(request.url.slice(at + 1))),
    arrayFormat: 'repeat',
    ...(body !== undefined && { body: typeof body === 'string' ? await bodyOf(body) : body }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
  };
}

/** Merges options into a request; parts that they omit are kept. */
export async function withRequestOptions(request: HttpRequest, options: HttpRequestOptions): Promise<HttpRequest> {
  const { authentication, maxResponseBytes, tls, keepHeaderCase } = request;
  const changed = await toHttpRequest(planOf(options));
  return {
    ...(maxResponseBytes !== undefined && { maxResponseBytes }),
    ...(tls && { tls }),
    ...(keepHeaderCase !== undefined && { keepHeaderCase }),
    ...changed,
    ...(authentication && { authentication }),
  };
}

function queryOf(query: URLSearchParams): Record<string, unknown> {
  return Object.fromEntries([...new Set(query.keys())].map((name) => [name, oneOrMany(query.getAll(name))]));
}

function oneOrMany(values: readonly string[]): unknown {
  return values.length === 1 ? values[0] : values;
}

/** The object in a JSON text, or the text itself. */
async function bodyOf(text: string): Promise<unknown> {
  if (!/^\s*\{/.test(text)) return text;
  try {
    return await parseJson(text);
  } catch {
    return text;
  }
}
