import { once } from 'node:events';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'pg';
import { flagOf, hostOf, numberOf, refuseSshTunnel } from './client-data.ts';
import { asUnconnected, type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** Says that the server's rules want TLS: "no pg_hba.conf entry … no encryption". */
const invalidAuthorization = '28000';

/** Stands where a protocol version would: 1234.5678. */
const cancelRequestCode = 80_877_102;

/** Milliseconds for asking a server to cancel. */
const cancelTimeoutMs = 5_000;

/** A connected client of Postgres, from a credential of type `postgres`; the caller ends it. */
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
 * Asks the server to end what a client is waiting for, over a connection of its own as the protocol wants it ("CancelRequest"). The server answers
 * nothing, and whether the request came in time nobody learns. Never throws.
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
    // The server closes the connection when it has read the request.
    await once(socket.resume().end(request), 'close');
  } catch {
    // Unreachable: the server notices the end of the client's own connection when it next writes to it.
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
    // A function, since an empty text would make the library look for a password of this process: in PGPASSWORD, in a file.
    password: () => optionalCredentialText(data, 'password'),
    ssl: tls && { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    connectionTimeoutMillis: timeoutMs,
    stream: () => asUnconnected(socket),
  });
  // A connection that breaks while idle; the next query says so.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
