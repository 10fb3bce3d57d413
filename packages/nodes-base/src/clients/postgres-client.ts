import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'pg';
import { flagOf, hostOf, numberOf, refuseSshTunnel } from './client-data.ts';
import { asUnconnected, type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** Says that the server's rules want TLS: "no pg_hba.conf entry … no encryption". */
const invalidAuthorization = '28000';

/** A connected client of Postgres, from a credential of type `postgres`; the caller ends it. */
export async function openPostgres(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<Client> {
  refuseSshTunnel(data);
  const mode = optionalCredentialText(data, 'ssl', 'disable');
  if (mode !== 'allow') return connect(data, ports, signal, mode !== 'disable');
  try {
    return await connect(data, ports, signal, false);
  } catch (error) {
    if ((error as { code?: unknown }).code !== invalidAuthorization) throw error;
    return connect(data, ports, signal, true);
  }
}

async function connect(data: JsonObject, ports: ConnectPort, signal: AbortSignal, tls: boolean): Promise<Client> {
  const { default: pg } = await import('pg');
  const host = hostOf(data, 'localhost');
  const port = numberOf(data, 'port', 5432);
  const socket = await openSocket(ports, host, port, { signal });
  const client = new pg.Client({
    host,
    port,
    database: optionalCredentialText(data, 'database', 'postgres'),
    user: optionalCredentialText(data, 'user', 'postgres'),
    // A function, since an empty text would make the library look for a password of this process: in PGPASSWORD, in a file.
    password: () => optionalCredentialText(data, 'password'),
    ssl: tls && { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    connectionTimeoutMillis: loginTimeoutMs,
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
