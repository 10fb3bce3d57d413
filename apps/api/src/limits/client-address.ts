import { isIPv6 } from 'node:net';

/** Longest text that counts as an address: what a proxy forwards may be anything. */
const maxLength = 64;

/**
 * Whom an address stands for: itself, or for IPv6 its /64, which is the least that a provider gives to one customer. An IPv4 address
 * in IPv6 clothes is that IPv4 address.
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
