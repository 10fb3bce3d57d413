import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'pg';
import { flagOf, hostOf, numberOf, refuseSshTunnel } from './client-data.ts';
import { FrameCheck } from './frame-check.ts';
import { asUnconnected, type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/**
 * The server also reports this code when it requires TLS: "no pg_hba.conf entry … no encryption".
 */
const invalidAuthorization = '28000';

/** Replaces the protocol version in the request: 1234.5678. */
const cancelRequestCode = 80_877_102;

/** Timeout for a cancel request in milliseconds. */
const cancelTimeoutMs = 5_000;

/** Size of the type and length, which come first in each message, in bytes. */
const messageHeaderBytes = 5;

/** Rows and copied data: their number of fields is bounded. */
const longTypes = new Set(['D', 'd']);

/**
 * Largest other message, such as an error, in bytes. The library parses it at once: 30 milliseconds
 * per megabyte.
 */
const maxMessageBytes = 2 * 1024 * 1024;

/** A connected Postgres client, from a credential of type `postgres`; the caller ends it. */
export async function openPostgres(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<Client> {
  refuseSshTunnel(data);
  const mode = optionalCredentialText(data, 'ssl', 'disable');
  const connectWith = (tls: boolean) => connect(data, ports, signal, { tls, timeoutMs });
  if (mode !== 'allow') return connectWith(mode !== 'disable');
  try {
    return await connectWith(false);
  } catch (error) {
    if ((error as { code?: unknown }).code !== invalidAuthorization) throw error;
    return connectWith(true);
  }
}

/**
 * Sends a `CancelRequest` for the client's current query, over a separate connection as the
 * protocol requires. The server does not respond, so success is unknown. Never throws.
 */
export async function cancelPostgres(data: JsonObject, ports: ConnectPort, client: Client): Promise<void> {
  const { processID, secretKey } = client as Client & { processID: number | null; secretKey: number | null };
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, cancelRequestCode, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4);
  try {
    const signal = AbortSignal.timeout(cancelTimeoutMs);
    const socket = await openSocket(ports, hostOf(data, 'localhost'), numberOf(data, 'port', 5432), { signal });
    // The server closes the connection after it reads the request.
    await once(socket.resume().end(request), 'close');
  } catch {
    // Unreachable: the server notices that the client's connection ended at its next write.
  }
}

async function connect(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  { tls, timeoutMs }: { tls: boolean; timeoutMs: number },
): Promise<Client> {
  const { default: pg } = await import('pg');
  const host = hostOf(data, 'localhost');
  const port = numberOf(data, 'port', 5432);
  const socket = await openSocket(ports, host, port, { signal }, timeoutMs);
  const client = new pg.Client({
    host,
    port,
    database: optionalCredentialText(data, 'database', 'postgres'),
    user: optionalCredentialText(data, 'user', 'postgres'),
    // A function: for an empty string, the library would read PGPASSWORD or a password file of this
    // process.
    password: () => optionalCredentialText(data, 'password'),
    ssl: tls && { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    connectionTimeoutMillis: timeoutMs,
    stream: () => asUnconnected(socket),
  });
  checkLengths(client);
  // If an idle connection breaks, the next query reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * Checks lengths before the library reads the bytes, after decryption; an error ends the
 * connection.
 */
function checkLengths(client: Client): void {
  const connection = client.connection as unknown as { attachListeners(stream: Duplex): void };
  const { attachListeners } = connection;
  connection.attachListeners = (stream) => {
    const check = new FrameCheck(messageHeaderBytes, messageBytes);
    stream.on('data', (chunk: Buffer) => {
      try {
        check.read(chunk);
      } catch (error) {
        stream.destroy(error as Error);
      }
    });
    attachListeners.call(connection, stream);
  };
}

function messageBytes(head: Buffer): number {
  const type = String.fromCharCode(head.readUInt8(0));
  const length = head.readUInt32BE(1);
  if (length < 4 || (length > maxMessageBytes && !longTypes.has(type)))
    throw new Error('the server does not speak the Postgres protocol');
  return 1 + length;
}
