import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Redis } from 'ioredis';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** A connected client of Redis, from a credential of type `redis`; it does not connect again by itself, and the caller ends it. */
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
  return connected(client);
}

/** `connect` says at most that the connection ended; why, or that the database could not be selected, the client tells in an event. */
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
