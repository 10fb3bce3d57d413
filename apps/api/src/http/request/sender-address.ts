import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

export type Sender = Pick<Request, 'ip' | 'socket'>;

/**
 * Address of the sender, as the trusted proxies report it in `X-Forwarded-For`, without a port. If
 * they report something else, it is the address of the connection: senders must not choose under
 * which address they are counted and logged. `undefined` if the connection is closed.
 */
export function senderAddress({ ip = '', socket }: Sender): string | undefined {
  const address = withoutPort(ip);
  return isIP(address) === 0 ? socket.remoteAddress : address;
}

/**
 * The client that a request belongs to: its address, or its /64 for IPv6, the smallest network that
 * providers assign. IPv4-mapped IPv6 addresses are treated as IPv4.
 */
export function clientAddress(request: Sender): string {
  return ipKeyGenerator(senderAddress(request) ?? 'unknown', 64);
}

/** Some proxies add the port: `203.0.113.7:5678`, `[2001:db8::1]:5678`. */
function withoutPort(address: string): string {
  const [, v6, v4] = /^(?:\[(.*)\]|([\d.]+))(?::\d{1,5})?$/.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}
