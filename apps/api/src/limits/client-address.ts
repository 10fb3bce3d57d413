import { ipKeyGenerator } from 'express-rate-limit';
import { type Sender, senderAddress } from '../http/request/sender-address.ts';

/**
 * The client that a request belongs to: its address, or its /64 for IPv6, the smallest network that
 * providers assign. IPv4-mapped IPv6 addresses are treated as IPv4.
 */
export function clientAddress(request: Sender): string {
  return ipKeyGenerator(senderAddress(request) ?? 'unknown', 64);
}
