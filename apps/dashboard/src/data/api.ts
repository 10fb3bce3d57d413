import { type components, createApiClient } from '@sluice/api-client';
import { markReachable, markUnreachable } from './connection.ts';
import { ApiError, ConnectionError } from './errors.ts';
import { session, signOut } from './session.ts';

export type Schemas = components['schemas'];

const keyHeader = document.querySelector<HTMLMetaElement>('meta[name=sluice-key-header]')?.content ?? 'X-SERVICE-API-KEY';
const serviceUrl = new URL('.', document.baseURI).href;

/** Sends a request with the session's key. Throws `ConnectionError`; returns any response. */
export async function send(request: Request): Promise<Response> {
  const { key } = session.get();
  if (key !== undefined) request.headers.set(keyHeader, key);
  const response = await fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    markUnreachable();
    throw new ConnectionError(error);
  });
  markReachable();
  if (key !== undefined && (await isRefused(response)) && key === session.get().key) {
    signOut('The service no longer accepts this key. It may have expired or been revoked.');
  }
  return response;
}

/** Whether the key is invalid. A revoked key has status 403, as has a key that lacks a scope. */
async function isRefused(response: Response): Promise<boolean> {
  if (response.status !== 403) return response.status === 401;
  const body: { message?: string } = await response
    .clone()
    .json()
    .catch(() => ({}));
  return body.message === 'the API key has been revoked';
}

/** Absolute URL of a path below `/api/v1`. */
export function apiUrl(path: string): string {
  return `${serviceUrl}api/v1${path}`;
}

/** The public API. Wrap its calls in `call`, which returns the data or throws. */
export const api = createApiClient({ url: serviceUrl, apiKey: '', keyHeader, fetch: send });

/** Parameters of a path with `{id}`. */
export const byId = (id: string) => ({ params: { path: { id } } });

type Pending<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** `await call(api.GET('/executions/{id}', byId(id)))` */
export async function call<T>(pending: Pending<T>): Promise<T> {
  return (await callWithResponse(pending)).data;
}

/** Same as `call`, with the response for its headers, such as `ETag`. */
export async function callWithResponse<T>(pending: Pending<T>): Promise<{ data: T; response: Response }> {
  const { data, error, response } = await pending;
  if (!response.ok) throw toError(response, error);
  return { data: data as T, response };
}

/** Checks a key without keeping it. Throws `ApiError` for a key that the service rejects. */
export async function checkKey(key: string): Promise<void> {
  const request = new Request(apiUrl('/api-keys/scopes'), { headers: { [keyHeader]: key } });
  const response = await fetch(request).catch((error: unknown) => {
    throw new ConnectionError(error);
  });
  // A key may be valid and lack the scope of this route.
  if (response.ok || (response.status === 403 && !(await isRefused(response)))) return;
  throw toError(response, await response.json().catch(() => ({})));
}

export function toError(response: Response, body: unknown): ApiError {
  const fields = typeof body === 'object' && body !== null ? body : {};
  return new ApiError(response.status, { requestId: response.headers.get('x-request-id') ?? undefined, ...fields });
}
