import { ipKeyGenerator } from 'express-rate-limit';

/** Length of the longest address, in characters: proxies may forward any string. */
const maxLength = 64;

/**
 * The client that an address belongs to: the address itself, or its /64 for IPv6, the smallest
 * network that providers assign. IPv4-mapped IPv6 addresses are treated as IPv4.
 */
export function clientAddress(address = 'unknown'): string {
  return ipKeyGenerator(address.slice(0, maxLength), 64);
}
