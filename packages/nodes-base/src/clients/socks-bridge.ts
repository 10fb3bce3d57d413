import { randomUUID, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { isAppError } from '@sluice/node-sdk';
import { type ConnectPort, openSocket } from './open-socket.ts';

/** A SOCKS5 proxy of this process. */
export interface SocksBridge {
  host: string;
  port: number;
  user: string;
  password: string;
  /** Rejects with the error of the first connection that the port refused, or with the signal's reason; never resolves. */
  failed: Promise<never>;
  /** Ends every connection through it. */
  close(): Promise<void>;
}

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
 * Leads the connections of a library that takes no socket but knows proxies through the guarded port: a SOCKS5 server (RFC 1928, with the
 * password of RFC 1929) on the loopback, for this library alone.
 */
export async function openSocksBridge(ports: ConnectPort, signal: AbortSignal): Promise<SocksBridge> {
  const [user, password] = [randomUUID(), randomUUID()];
  const sockets = new Set<Socket>();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((inner) => {
    keep(inner);
    serve(inner, `${user}:${password}`, async ({ host, port }) => {
      const outer = await openSocket(ports, host, port, { signal });
      keep(outer);
      return outer;
    }).catch((error: unknown) => {
      if (isAppError(error)) reject(error);
      inner.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    user,
    password,
    failed,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One connection: greeting, password, request; then bytes both ways. */
async function serve(inner: Socket, login: string, connect: (asked: Destination) => Promise<Socket>): Promise<void> {
  const read = reader(inner);
  const [, methods = 0] = await read(2);
  if (!(await read(methods)).includes(byPassword)) return void inner.end(Buffer.of(version, nothingAcceptable));
  inner.write(Buffer.of(version, byPassword));
  const accepted = isSame(`${await readText(read, 1)}:${await readText(read)}`, login);
  inner.write(Buffer.of(1, accepted ? 0 : 1));
  if (!accepted) return void inner.end();
  const [, command] = await read(3);
  const asked = await readDestination(read);
  const outer = command === connectCommand && asked ? await connect(asked).catch((error) => fail(inner, error)) : fail(inner);
  inner.write(reply(succeeded));
  inner.pipe(outer).pipe(inner);
  inner.once('close', () => outer.destroy());
  outer.once('close', () => inner.destroy());
}

function fail(inner: Socket, error: unknown = new Error('not a request that is served')): never {
  inner.end(reply(refused));
  throw error;
}

function reply(code: number): Buffer {
  return Buffer.of(version, code, 0, 1, 0, 0, 0, 0, 0, 0);
}

/** A text with its length before it, after some bytes to skip. */
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

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The next bytes. Rejects when the connection ends before. */
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
