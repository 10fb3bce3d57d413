import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'basic-ftp';
import { hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** A client of FTP that is logged in, from a credential of type `ftp`; the caller closes it. Rejects with what the server says. */
export async function openFtp(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<Client> {
  const { Client: FtpClient, FTPError } = await import('basic-ftp');
  const client = new FtpClient(timeoutMs);
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
      client.ftp.dataSocket = await openSocket(ports, host, port, { signal }, timeoutMs);
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

/** Where the server waits for data. Always at its own host: an address in its answer could lead anywhere, and behind NAT it leads nowhere. */
async function passivePort(client: Client) {
  const extended = await client.ftp.request('EPSV').catch(() => undefined);
  const extendedPort = /[|!]{3}(\d+)[|!]/.exec(extended?.message ?? '')?.[1];
  if (extended && extendedPort !== undefined) return { port: Number(extendedPort), answer: extended };
  const answer = await client.ftp.request('PASV');
  const [, high, low] = /\d{1,3},\d{1,3},\d{1,3},\d{1,3},(\d{1,3}),(\d{1,3})/.exec(answer.message) ?? [];
  if (high === undefined || low === undefined) throw new Error(`the server names no port for data: ${answer.message}`);
  return { port: Number(high) * 256 + Number(low), answer };
}

/** A line end in a name would begin a command of its own. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}
