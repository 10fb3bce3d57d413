import { isIPv6 } from 'node:net';

/** Characters of the longest address: proxies may forward any text. */
const maxLength = 64;

/**
 * The client that an address belongs to: the address itself, or its /64 for IPv6, the smallest network
 * that providers assign. IPv4-mapped IPv6 addresses count as IPv4.
 */
export function clientAddress(address = 'unknown'): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address.slice(0, maxLength);
  return `${groupsOf(address).slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): string[] {
  const [bare = ''] = address.toLowerCase().split('%');
  const [head = [], tail = []] = bare.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const tailLength = tail.length + (tail.at(-1)?.includes('.') ? 1 : 0);
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tailLength) }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => group.replace(/^0+(?=.)/, ''));
}
