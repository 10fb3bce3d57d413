import type { JsonObject } from '@sluice/node-sdk';
import { openFtp } from './ftp-client.ts';
import type { ConnectPort } from './open-socket.ts';

/** Logs in at an FTP server, from a credential of type `ftp`, and leaves again. Rejects with what the server says. */
export async function tryFtpLogin(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<void> {
  const client = await openFtp(data, ports, signal);
  try {
    await client.pwd();
  } finally {
    client.close();
  }
}
