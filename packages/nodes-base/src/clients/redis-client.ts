import type { Socket } from 'node:net';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';
import { RedisLengths } from './redis-lengths.ts';

/**
 * A connected Redis client, from a credential of type `redis`. It does not reconnect; the caller
 * ends it.
 */
export async function openRedis(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<Redis> {
  const { AbstractConnector, Redis: RedisClient } = await import('ioredis');
  const tls = flagOf(data, 'ssl') && { rejectUnauthorized: !flagOf(data, 'disableTlsVerification') };
  const socket = await openSocket(ports, hostOf(data, 'localhost'), numberOf(data, 'port', 6379), { tls, signal });
  class GuardedConnector extends AbstractConnector {
    constructor() {
      super(0);
    }

    async connect() {
      this.connecting = true;
      return socket;
    }

    override disconnect() {
      this.connecting = false;
      socket.destroy();
    }
  }
  const [username, password] = [optionalCredentialText(data, 'user'), optionalCredentialText(data, 'password')];
  const client = new RedisClient({
    Connector: GuardedConnector,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    db: numberOf(data, 'database', 0),
    lazyConnect: true,
    connectTimeout: loginTimeoutMs,
    commandTimeout: loginTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  checkLengths(socket, client);
  return connected(client);
}

/**
 * Checks replies before the library reads them, so its listener comes first; an error ends the
 * commands and the connection.
 */
function checkLengths(socket: Socket, client: Redis): void {
  const lengths = new RedisLengths();
  const { emit } = socket;
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    try {
      if (event === 'data') lengths.read(args[0] as Buffer);
    } catch (error) {
      client.recoverFromFatalError(error as Error, error as Error, {});
      socket.destroy();
      return true;
    }
    return emit.call(socket, event, ...args);
  };
}

/**
 * Connects with a useful error: `connect` rejects only with the end of the connection. The client
 * reports the cause, or a failed database selection, in an event.
 */
async function connected(client: Redis): Promise<Redis> {
  let why: unknown;
  client.on('error', (error) => {
    why ??= error;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    why ??= error;
  }
  if (why === undefined) return client;
  client.disconnect();
  throw why;
}
