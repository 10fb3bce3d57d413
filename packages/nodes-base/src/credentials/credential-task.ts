import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { guardedConnect } from '@sluice/http-client/guarded-connect';
import { type CredentialPorts, errorMessage, isAppError } from '@sluice/node-sdk';
import type { AskHost } from '../threads/thread-messages.ts';
import { connectionTypes } from './connection-types.ts';
import type { CredentialAnswer, CredentialMessage } from './credential-message.ts';

/**
 * Maximum number of bytes that one connection may receive. A greeting and a login need a few
 * kilobytes.
 */
const maxBytes = 16 * 1024 * 1024;

/** Interval between checks of the received bytes, in milliseconds. */
const checkMs = 50;

/**
 * A thread's task: tests or renews a credential. The host's guard decides which connections are
 * allowed.
 */
export async function* task(message: CredentialMessage, ask: AskHost): AsyncGenerator<CredentialAnswer> {
  try {
    yield { value: await run(message, portsOf(ask)) };
  } catch (error) {
    const { code, kind } = isAppError(error) ? error : ({ code: 'CONNECTION_FAILED', kind: 'expected' } as const);
    yield { failure: { code, kind, message: errorMessage(error) } };
  }
}

/** The signal never fires: the host terminates the thread. */
async function run({ typeName, ability, data }: CredentialMessage, ports: CredentialPorts) {
  const type = await connectionTypes[typeName]?.();
  const { signal } = new AbortController();
  const value = ability === 'test' ? type?.test?.(data, ports, signal) : type?.renewal?.renew(data, ports, signal);
  if (value === undefined) throw new TypeError(`the credential type ${typeName} cannot ${ability}`);
  return value;
}

function portsOf(ask: AskHost): CredentialPorts {
  const connectGuard = {
    allows: (host: string, addresses: readonly string[], port: number | undefined) =>
      ask('allows', host, addresses, port) as Promise<boolean>,
  };
  const connect = guardedConnect(connectGuard);
  return {
    connectGuard,
    connect: async (host, port, { tls = false, signal }) => bounded(await connect(host, port, { tls, signal })),
    http: { request: () => Promise.reject(new Error('a connection test sends no HTTP requests')) },
    now: Date.now,
    randomBytes,
  };
}

/** Ends a connection whose server floods it: the thread's heap limit excludes buffers. */
function bounded(socket: Socket): Socket {
  const timer = setInterval(() => {
    if (socket.bytesRead > maxBytes) socket.destroy(new Error('the server sends too much data'));
  }, checkMs);
  socket.once('close', () => clearInterval(timer));
  return socket;
}
