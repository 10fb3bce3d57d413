import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import { hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** Logs in at an FTP server, from a credential of type `ftp`, and leaves again. Rejects with what the server says. */
export async function tryFtpLogin(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<void> {
  const { Client, FTPError } = await import('basic-ftp');
  const client = new Client(loginTimeoutMs);
  try {
    client.ftp.socket = await openSocket(ports, hostOf(data), numberOf(data, 'port', 21), { signal });
    await client.ftp.handle(undefined, (answer, task) => {
      if (answer instanceof Error) task.reject(answer);
      else if (answer.code >= 200 && answer.code < 300) task.resolve(answer);
      else task.reject(new FTPError(answer));
    });
    await client.login(
      oneLine(optionalCredentialText(data, 'username', 'anonymous')),
      oneLine(optionalCredentialText(data, 'password')),
    );
    await client.pwd();
  } finally {
    client.close();
  }
}

/** A line end in a name would begin a command of its own. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}
