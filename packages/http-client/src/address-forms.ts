import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Represents every address of this machine. */
const thisMachine = 'this machine';

/**
 * Parses an address in any notation without brackets. An IPv4-mapped address becomes the IPv4
 * address.
 */
export function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}

/**
 * Names of the destinations that an address may reach, for comparison. Loopback, unspecified, and
 * interface addresses all mean this machine. An IPv6 address that embeds an IPv4 address also has
 * the IPv4 address's name, because a gateway may translate it. An invalid address has no forms.
 */
export function addressForms(text: string, machine: ReadonlySet<string> = machineAddresses()): Set<string> {
  const address = parseAddress(text);
  if (!address) return new Set();
  const carried = address.kind() === 'ipv6' ? carriedIPv4(address as ipaddr.IPv6) : [];
  return new Set([address, ...carried].map((form) => (isThisMachine(form, machine) ? thisMachine : plainText(form))));
}

/** Addresses of this machine's network interfaces, in the notation of `addressForms`. */
export function machineAddresses(): ReadonlySet<string> {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return new Set(all.flatMap(({ address }) => parseAddress(address) ?? []).map(plainText));
}

function isThisMachine(address: Address, machine: ReadonlySet<string>): boolean {
  const range = address.range();
  return range === 'loopback' || range === 'unspecified' || machine.has(plainText(address));
}

/** Drops the zone: `fe80::1%eth0` and `fe80::1` may be the same machine. */
function plainText(address: Address): string {
  return ipaddr.fromByteArray(address.toByteArray()).toString();
}

/**
 * The IPv4 addresses embedded in an IPv6 address: IPv4-compatible (RFC 4291), translated (RFC
 * 2765), NAT64 (RFC 6052 and RFC 8215), 6to4 (RFC 3056), and Teredo (RFC 4380, with inverted bits).
 */
function carriedIPv4(address: ipaddr.IPv6): Address[] {
  const bytes = address.toByteArray();
  const at = (start: number, invert = 0) => ipaddr.fromByteArray(bytes.slice(start, start + 4).map((byte) => byte ^ invert));
  const isIn = (cidr: string) => address.match(ipaddr.IPv6.parseCIDR(cidr));
  if (isIn('2002::/16')) return [at(2)];
  if (isIn('2001::/32')) return [at(12, 0xff)];
  return ['::/96', '::ffff:0:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48'].some(isIn) ? [at(12)] : [];
}
