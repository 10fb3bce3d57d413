import type { Duplex } from 'node:stream';

/** Idle time in milliseconds before the system sends TCP keep-alive probes. */
const idleMs = 30_000;

/** Detects a lost peer on an idle connection. */
export function keepAlive<T extends Duplex & { setKeepAlive?: (enable: boolean, idleMs: number) => unknown }>(socket: T): T {
  socket.setKeepAlive?.(true, idleMs);
  return socket;
}
