import type { Socket } from 'node:net';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client, RawListParser } from 'basic-ftp';
import { hostOf, numberOf } from './client-data.ts';
import { maxListingBytes, parseListing } from './ftp-listing.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/**
 * A logged-in FTP client, from a credential of type `ftp`; the caller closes it. Rejects with the
 * server's error.
 */
export async function openFtp(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<Client> {
  const { Client: FtpClient, FTPError } = await import('basic-ftp');
  const client = new FtpClient(timeoutMs, { allowSeparateTransferHost: false, maxListingBytes });
  // The library awaits the result.
  client.parseList = parseListing as unknown as RawListParser;
  try {
    const host = hostOf(data);
    client.ftp.socket = await openSocket(ports, host, numberOf(data, 'port', 21), { signal }, timeoutMs);
    await client.ftp.handle(undefined, (answer, task) => {
      if (answer instanceof Error) task.reject(answer);
      else if (answer.code >= 200 && answer.code < 300) task.resolve(answer);
      else task.reject(new FTPError(answer));
    });
    client.prepareTransfer = async () => {
      const { port, answer } = await passivePort(client);
      useForData(client, await openSocket(ports, host, port, { signal }, timeoutMs));
      return answer;
    };
    await client.login(
      oneLine(optionalCredentialText(data, 'username', 'anonymous')),
      oneLine(optionalCredentialText(data, 'password')),
    );
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * Requests a data port in passive mode. The host is always the control connection's: the address in
 * the response could point anywhere, and behind NAT it is unreachable.
 */
async function passivePort(client: Client) {
  const extended = await client.ftp.request('EPSV').catch(() => undefined);
  const extendedPort = /[|!]{3}(\d+)[|!]/.exec(extended?.message ?? '')?.[1];
  if (extended && extendedPort !== undefined) return { port: Number(extendedPort), answer: extended };
  const answer = await client.ftp.request('PASV');
  const [, high, low] = /\d{1,3},\d{1,3},\d{1,3},\d{1,3},(\d{1,3}),(\d{1,3})/.exec(answer.message) ?? [];
  if (high === undefined || low === undefined) throw new Error(`the server did not name a data port: ${answer.message}`);
  return { port: Number(high) * 256 + Number(low), answer };
}

/**
 * Lets a failed data connection end the client only during a transfer. A server that refuses a
 * transfer resets the connection, often before its reply arrives; the reply is then the error, and
 * later transfers work.
 */
function useForData({ ftp }: Client, socket: Socket): void {
  const events = ['error', 'close'] as const;
  const own = new Set<unknown>(events.flatMap((event) => socket.rawListeners(event)));
  ftp.dataSocket = socket;
  for (const event of events)
    for (const listener of socket.rawListeners(event)) if (!own.has(listener)) socket.off(event, listener as () => void);
  const idleListeners = socket.listenerCount('error') + 1;
  socket.on('error', (error) => {
    // A transfer listens too.
    if (socket.listenerCount('error') > idleListeners) ftp.closeWithError(error);
  });
}

/** Removes line breaks: in a name, one would start a new command. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}
