import type { JsonObject } from '@sluice/node-sdk';
import { openFtp } from './ftp-client.ts';
import type { ConnectPort } from './open-socket.ts';

/**
 * Logs in to an FTP server with a credential of type `ftp`, and out again. Rejects with the
 * server's error.
 */
export async function tryFtpLogin(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<void> {
  const client = await openFtp(data, ports, signal);
  try {
    await client.pwd();
  } finally {
    client.close();
  }
}
