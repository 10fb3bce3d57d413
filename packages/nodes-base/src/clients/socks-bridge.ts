import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type Bridge, type BridgeSide, join, openBridge } from './bridge.ts';
import type { ConnectPort } from './open-socket.ts';

interface Destination {
  host: string;
  port: number;
}

const version = 5;
const byPassword = 2;
const nothingAcceptable = 0xff;
const connectCommand = 1;
const succeeded = 0;
const refused = 2;

/**
 * A SOCKS5 bridge (RFC 1928, with the password method of RFC 1929), for protocols in which the
 * client speaks first.
 */
export function openSocksBridge(ports: ConnectPort, signal: AbortSignal): Promise<Bridge> {
  return openBridge(ports, signal, (side) => createServer((inner) => serve(inner, side).catch(() => inner.destroy())));
}

/** Serves one connection: greeting, password, and request; then relays bytes both ways. */
async function serve(inner: Socket, { isLogin, connect }: BridgeSide): Promise<void> {
  const read = reader(inner);
  const [, methods = 0] = await read(2);
  if (!(await read(methods)).includes(byPassword)) return void inner.end(Buffer.of(version, nothingAcceptable));
  inner.write(Buffer.of(version, byPassword));
  const accepted = isLogin(await readText(read, 1), await readText(read));
  inner.write(Buffer.of(1, accepted ? 0 : 1));
  if (!accepted) return void inner.end();
  const [, command] = await read(3);
  const destination = await readDestination(read);
  const outer =
    command === connectCommand && destination && (await connect(destination.host, destination.port).catch(() => undefined));
  if (!outer) return void inner.end(reply(refused));
  inner.write(reply(succeeded));
  join(inner, outer);
}

function reply(code: number): Buffer {
  return Buffer.of(version, code, 0, 1, 0, 0, 0, 0, 0, 0);
}

/** Reads a length-prefixed string after skipping some bytes. */
async function readText(read: Reader, skipped = 0): Promise<string> {
  const length = (await read(skipped + 1))[skipped] ?? 0;
  return (await read(length)).toString();
}

async function readDestination(read: Reader): Promise<Destination | undefined> {
  const [kind] = await read(1);
  const host =
    kind === 3 ? await readText(read) : kind === 1 ? ipv4(await read(4)) : kind === 4 ? ipv6(await read(16)) : undefined;
  const port = (await read(2)).readUInt16BE();
  return host === undefined ? undefined : { host, port };
}

function ipv4(bytes: Buffer): string {
  return [...bytes].join('.');
}

function ipv6(bytes: Buffer): string {
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':');
}

/** Reads the next bytes. Rejects if the connection ends first. */
type Reader = (count: number) => Promise<Buffer>;

function reader(socket: Socket): Reader {
  return async (count) => {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes: Buffer | null = socket.read(count);
      if (bytes?.length === count) return bytes;
      if (bytes || socket.destroyed || socket.readableEnded) throw new Error('the connection ended in the middle of a request');
      await Promise.race([once(socket, 'readable'), once(socket, 'close'), once(socket, 'end')]);
    }
  };
}
