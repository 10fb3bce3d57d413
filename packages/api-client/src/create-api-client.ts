import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/openapi.ts';

export interface ClientOptions {
  /** Address of the service, without `/api/v1`. */
  url: string;
  apiKey: string;
  /** Header that carries the key, where the service is configured for another one. */
  keyHeader?: string;
  /** In place of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/**
 * The compiler checks paths, parameters, bodies and responses; each call resolves to
 * `{ data, error, response }`.
 */
export type ApiClient = Client<paths, 'application/json'>;

/**
 * A client of the public API. It throws without a response (no connection); errors of the API are
 * values.
 */
export function createApiClient({ url, apiKey, keyHeader = 'X-SERVICE-API-KEY', fetch }: ClientOptions): ApiClient {
  return createClient<paths, 'application/json'>({
    baseUrl: `${url.replace(/(?<!\/)\/+$/, '')}/api/v1`,
    headers: { [keyHeader]: apiKey },
    ...(fetch && { fetch }),
  });
}
