import type { Endpoint } from './own-endpoints.ts';

export interface HttpClientOptions {
  /** `strict` adds connections other than HTTP, so for this client it is the same as `on`. */
  ssrfProtection: 'on' | 'strict' | 'off';
  /** CIDRs, addresses and host names, with or without a port, that are allowed although the guard would refuse them. */
  ssrfAllow: readonly string[];
  /** The same for targets that are refused in every mode; host names have a port. */
  ssrfDeny?: readonly string[];
  /** Endpoints of the service, refused in every mode. Read at each connection, so the caller may add to it. */
  ownEndpoints?: Iterable<Endpoint>;
}
