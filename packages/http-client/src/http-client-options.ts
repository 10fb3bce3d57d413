import type { Endpoint } from './own-endpoints.ts';

export interface HttpClientOptions {
  /** `strict` also covers connections other than HTTP, so for this client it equals `on`. */
  ssrfProtection: 'on' | 'strict' | 'off';
  /**
   * CIDRs, addresses, and host names, with or without a port, that are allowed despite the guard.
   */
  ssrfAllow: readonly string[];
  /** Targets that are blocked in every mode, in the same format. Host names must have a port. */
  ssrfDeny?: readonly string[];
  /**
   * The service's endpoints, blocked in every mode. Read at each connection, so the caller may add
   * to it.
   */
  ownEndpoints?: Iterable<Endpoint>;
  /**
   * URL of the service's public API, for requests with `HttpAuthentication.ownApi`; null: unknown.
   */
  ownApiUrl?: string | null;
}
