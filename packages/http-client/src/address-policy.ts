import ipaddr from 'ipaddr.js';
import { type Address, parseAddress } from './address-forms.ts';
import type { HttpClientOptions } from './http-client-options.ts';
import { OwnEndpoints } from './own-endpoints.ts';
import { contains, namedEndpoints, parseTargetList } from './target-list.ts';

/** Where connections may go. */
export interface AddressPolicy {
  /**
   * Whether connections to a host and port are allowed, given all its resolved addresses; one
   * blocked address blocks the host. A literal is its own only address. If `port` is `undefined`
   * (unknown), entries with a port do not allow the host, and the service's own addresses are
   * blocked on every port.
   */
  allows(host: string, addresses: readonly string[], port: number | undefined): Promise<boolean>;
  /**
   * The part of `allows` that needs no DNS lookup: whether the lists and ranges block a literal.
   */
  refusesLiteral(address: string, port: number): boolean;
  /**
   * Whether `SSRF_ALLOW` contains the host name, so that its addresses do not matter. The service's
   * own endpoints remain blocked.
   */
  allowsHost(host: string, port: number): boolean;
}

/** Azure's metadata and DNS service has a public address. */
const azureMetadata = '168.63.129.16';
/** Metadata services of clouds outside the link-local ranges: Azure, Alibaba, and AWS over IPv6. */
const cloudMetadata: ReadonlySet<string> = new Set([azureMetadata, '100.100.100.200', 'fd00:ec2::254']);

/**
 * All current global unicast IPv6. Addresses outside of it (NAT64, IPv4-compatible) are blocked.
 */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

export type AddressRules = Omit<HttpClientOptions, 'ssrfProtection'> & {
  /** `metadata`: only link-local addresses and metadata services of clouds are blocked. */
  ssrfProtection: HttpClientOptions['ssrfProtection'] | 'metadata';
};

/**
 * The decision of the SSRF guard, in this order:
 *
 * 1. An entry of `ssrfAllow` with exactly this host (or address) and port allows the connection.
 * 2. The service's own endpoints and the targets of `ssrfDeny` are blocked, even if the protection
 *    is `off`.
 * 3. If the protection is on, only public unicast addresses and the other entries of `ssrfAllow`
 *    are allowed. IPv4-mapped addresses count as the IPv4 address; ranges that embed an IPv4
 *    address (6to4, Teredo, NAT64) are blocked.
 *
 * Throws if a list entry contains a `/` but is not a CIDR.
 */
export function createAddressPolicy({
  ssrfProtection,
  ssrfAllow,
  ssrfDeny = [],
  ownEndpoints = [],
}: AddressRules): AddressPolicy {
  const isOff = ssrfProtection === 'off';
  const isUsual = ssrfProtection === 'metadata' ? (address: Address) => !isMetadata(address) : isPublic;
  const allowed = parseTargetList(ssrfAllow);
  const denied = parseTargetList(ssrfDeny, true);
  const endpoints = new OwnEndpoints(concatenated(ownEndpoints, namedEndpoints(ssrfDeny)));
  const allowsAddress = (address: Address, port: number | undefined) =>
    isOff || allowed.hasAddress(address, port) || isUsual(address);
  return {
    async allows(host, addresses, port) {
      if (addresses.length === 0) return false;
      if (addresses.every((address) => allowed.names(host, address, port))) return true;
      const parsed = addresses.map(parseAddress);
      if (parsed.some((address) => !address || denied.hasAddress(address, port))) return false;
      if (await endpoints.include(host, addresses, port)) return false;
      return allowed.hasHost(host, port) || parsed.every((address) => address && allowsAddress(address, port));
    },
    refusesLiteral(text, port) {
      if (allowed.names(text, text, port) || allowed.hasHost(text, port)) return false;
      const address = parseAddress(text);
      return !address || denied.hasAddress(address, port) || !allowsAddress(address, port);
    },
    allowsHost: (host, port) => isOff || allowed.hasHost(host, port),
  };
}

/** Reads both on each iteration, because the first may grow. */
function concatenated<T>(first: Iterable<T>, second: Iterable<T>): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      yield* first;
      yield* second;
    },
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === azureMetadata) return false;
  return address.kind() === 'ipv4' || contains(globalUnicast, address);
}

function isMetadata(address: Address): boolean {
  return address.range() === 'linkLocal' || cloudMetadata.has(address.toString());
}
