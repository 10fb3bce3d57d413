import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Bridge, type BridgeSide, join, openBridge } from './bridge.ts';
import type { ConnectPort } from './open-socket.ts';

/**
 * A bridge that uses the CONNECT method (RFC 9110, 9.3.6). For servers that speak first: SOCKS
 * clients may drop bytes that arrive before they read.
 */
export function openHttpBridge(ports: ConnectPort, signal: AbortSignal): Promise<Bridge> {
  return openBridge(ports, signal, (side) => {
    const server = createServer((_, response) => response.writeHead(405, { allow: 'CONNECT' }).end());
    server.on('connect', (request, inner, head) => {
      serve(request, inner, head, side).catch(() => refuse(inner, '502 Bad Gateway'));
    });
    return server;
  });
}

async function serve(request: IncomingMessage, inner: Duplex, head: Buffer, { isLogin, connect }: BridgeSide): Promise<void> {
  if (!isLogin(...loginOf(request))) return refuse(inner, '407 Proxy Authentication Required');
  const [, ipv6, name, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(request.url ?? '') ?? [];
  const host = ipv6 ?? name;
  if (host === undefined) return refuse(inner, '400 Bad Request');
  const outer = await connect(host, Number(port));
  inner.write('HTTP/1.1 200 Connection established\r\n\r\n');
  outer.write(head);
  join(inner, outer);
}

function refuse(inner: Duplex, status: string): void {
  inner.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
}

/** User and password of a "Basic" header (RFC 7617). */
function loginOf({ headers }: IncomingMessage): [user: string, password: string] {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(headers['proxy-authorization'] ?? '') ?? [];
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return [user, password];
}
