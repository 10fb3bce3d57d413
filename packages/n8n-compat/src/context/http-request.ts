import { userKeyed } from '@sluice/domain';
import { basicAuthorization, type HttpAuthentication, type HttpRequest } from '@sluice/node-sdk';
import { queryString } from './query-string.ts';
import { encodedBody } from './request-body.ts';
import type { RequestPlan } from './request-options.ts';

/** Default redirect limit of the packages' libraries. */
const usualRedirects = 10;

/** Converts a plan to a request for the guarded client. */
export async function toHttpRequest(plan: RequestPlan, authentication?: HttpAuthentication): Promise<HttpRequest> {
  const headers = plainHeaders(plan.headers);
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const { body, headers: bodyHeaders } = await encodedBody(plan, String(type).toLowerCase());
  const method = (plan.method ?? 'GET').toUpperCase();
  const sendsBody = body !== undefined && !(method === 'GET' && plan.formData === undefined && isEmptyObject(plan.body));
  return {
    method,
    url: addressOf(plan),
    headers: userKeyed(mergedHeaders(headers, sendsBody ? bodyHeaders : {}, plan)),
    ...(sendsBody && { body }),
    ...(plan.timeout !== undefined && { timeoutMs: plan.timeout }),
    maxRedirects: plan.disableFollowRedirect ? 0 : (plan.maxRedirects ?? usualRedirects),
    ...(plan.skipSslCertificateValidation && { tls: { rejectUnauthorized: false } }),
    ...(plan.proxy !== undefined && { proxy: proxyAddress(plan.proxy) }),
    ...(authentication && { authentication }),
  };
}

function addressOf({ url, baseURL, qs, arrayFormat }: RequestPlan): string {
  const address = baseURL === undefined || /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : joined(baseURL, url);
  const query = qs ? queryString(qs, arrayFormat) : '';
  if (query === '') return address;
  const [path = '', fragment] = address.split('#', 2);
  return `${path}${path.includes('?') ? '&' : '?'}${query}${fragment === undefined ? '' : `#${fragment}`}`;
}

function joined(base: string, url: string): string {
  return url === '' ? base : `${base.replace(/(?<!\/)\/+$/, '')}/${url.replace(/^\/+/, '')}`;
}

function plainHeaders(headers: Record<string, unknown> = {}): [string, string | string[]][] {
  return Object.entries(headers)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]);
}

/**
 * The encoder's content type takes precedence if it has a boundary; otherwise the package's type
 * does.
 */
function mergedHeaders(
  headers: readonly [string, string | string[]][],
  bodyHeaders: Readonly<Record<string, string>>,
  { acceptsJson, basic, bearer }: RequestPlan,
): [string, string | string[]][] {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const added = Object.entries(bodyHeaders).filter(
    ([name, value]) => value.includes('boundary=') || !names.has(name.toLowerCase()),
  );
  const replaced = new Set(added.map(([name]) => name.toLowerCase()));
  const merged = [...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...added];
  if (acceptsJson && !names.has('accept')) merged.push(['accept', 'application/json']);
  if (basic) merged.push(['authorization', basicAuthorization(basic.user, basic.password)]);
  if (bearer !== undefined) merged.push(['authorization', `Bearer ${bearer}`]);
  return merged;
}

function proxyAddress(proxy: NonNullable<RequestPlan['proxy']>): string {
  if (typeof proxy === 'string') return proxy;
  const { protocol = 'http', host, port, auth } = proxy;
  const url = new URL(`${protocol.replace(/:$/, '')}://${host}:${port}`);
  if (auth) Object.assign(url, { username: auth.username, password: auth.password });
  return url.href;
}

function isEmptyObject(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    Object.keys(value).length === 0
  );
}
