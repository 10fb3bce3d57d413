import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { errorCode } from './error-code.ts';

/**
 * Ports below the ephemeral range (Linux: from 32,768; others: from 49,152): an outgoing connection
 * could otherwise take a free port before its server starts.
 */
const defaultRange = { from: 20_000, to: 32_000 };

/** Number of ports in use after which the search stops. */
const maxTries = 1_000;

/** Ports that this process has already returned: their servers may not have started yet. */
const reserved = new Set<number>();

/** Whether the TCP port is free. */
export function isPortFree(port: number, host: string): Promise<boolean> {
  return tryPort(port, host).then(
    () => true,
    () => false,
  );
}

/**
 * A random free TCP port, different at each call. Rejects if no port in the range (`to` excluded)
 * is free.
 */
export async function findFreePort(host = '127.0.0.1', { from, to } = defaultRange): Promise<number> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const port = randomInt(from, to);
    if (reserved.has(port)) continue;
    reserved.add(port);
    try {
      await tryPort(port, host);
      return port;
    } catch (error) {
      reserved.delete(port);
      const code = errorCode(error);
      if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error;
    }
  }
  throw new Error(`found no free port from ${from} to ${to - 1}`);
}

/** Listens on the port for a moment. Rejects with the error of the system if that fails. */
export function tryPort(port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}
