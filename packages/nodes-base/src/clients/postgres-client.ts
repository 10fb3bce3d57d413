import { once } from 'node:events';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'pg';
import { flagOf, hostOf, numberOf, refuseSshTunnel } from './client-data.ts';
import { asUnconnected, type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/**
 * The server also reports this code when it requires TLS: "no pg_hba.conf entry … no encryption".
 */
const invalidAuthorization = '28000';

/** Takes the place of the protocol version in the request: 1234.5678. */
const cancelRequestCode = 80_877_102;

/** Milliseconds for a cancel request. */
const cancelTimeoutMs = 5_000;

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
    // Unreachable: the server notices that the client's connection ended when it next writes to it.
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
