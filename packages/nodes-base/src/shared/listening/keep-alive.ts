import type { Duplex } from 'node:stream';

/** Milliseconds of silence after which the system asks whether the other side is still there. */
const idleMs = 30_000;

/** Notices a peer that is gone without a word, on a connection over which nothing is sent. */
export function keepAlive<T extends Duplex & { setKeepAlive?: (enable: boolean, idleMs: number) => unknown }>(socket: T): T {
  socket.setKeepAlive?.(true, idleMs);
  return socket;
}
