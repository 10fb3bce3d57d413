import ipaddr from 'ipaddr.js';
import type { HttpClientOptions } from './http-client-options.ts';

/** Where connections may go. */
export interface AddressPolicy {
  /** Whether an IP address, in any notation without brackets, may be connected to. What cannot be parsed may not. */
  allowsAddress(address: string): boolean;
  /** Whether a host name is allowed whatever it resolves to. */
  allowsHost(host: string): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Azure's metadata and DNS service lives on a public address. */
const cloudMetadata = '168.63.129.16';

/** All of today's global unicast IPv6; what lies outside (NAT64 and IPv4-compatible addresses, say) is refused as a whole. */
const globalUnicast: Range = ipaddr.parseCIDR('2000::/3');

/**
 * The SSRF guard's list: only what is public unicast may be reached, judged after unmapping `::ffff:0:0/96`; ranges that carry an
 * IPv4 address inside (6to4, Teredo, NAT64) are refused. `*.example.org` of the allow-list stands for all names below it. Throws when an allow-list entry holds a `/` but is no CIDR.
 */
export function createAddressPolicy({ ssrfProtection, ssrfAllow }: HttpClientOptions): AddressPolicy {
  if (ssrfProtection === 'off') return { allowsAddress: () => true, allowsHost: () => true };
  const ranges: Range[] = [];
  const hosts = new Set<string>();
  const suffixes: string[] = [];
  for (const entry of ssrfAllow) {
    const range = parseRange(entry);
    if (range) ranges.push(range);
    else if (entry.startsWith('*.')) suffixes.push(normalizeHost(entry.slice(1)));
    else hosts.add(normalizeHost(entry));
  }
  return {
    allowsAddress(text) {
      const address = parseAddress(text);
      return address !== undefined && (ranges.some((range) => contains(range, address)) || isPublic(address));
    },
    allowsHost(host) {
      const name = normalizeHost(host);
      return hosts.has(name) || suffixes.some((suffix) => name.endsWith(suffix));
    },
  };
}

function parseRange(entry: string): Range | undefined {
  const address = parseAddress(entry);
  if (address) return [address, address.kind() === 'ipv4' ? 32 : 128];
  if (!entry.includes('/')) return undefined;
  if (!ipaddr.isValidCIDR(entry)) throw new TypeError(`not a CIDR: ${entry}`);
  return ipaddr.parseCIDR(entry);
}

function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

function contains([network, bits]: Range, address: Address): boolean {
  return network.kind() === address.kind() && address.match([network, bits] as [ipaddr.IPv4 & ipaddr.IPv6, number]);
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === cloudMetadata) return false;
  return address.kind() === 'ipv4' || contains(globalUnicast, address);
}

function normalizeHost(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '');
}
