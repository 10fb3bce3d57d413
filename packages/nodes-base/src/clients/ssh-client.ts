import { once } from 'node:events';
import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client } from 'ssh2';
import { pem } from '../shared/pem.ts';
import { hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** A client of SSH that is logged in, from a credential of type `sshPassword`, `sshPrivateKey` or `sftp`; the caller ends it. */
export async function openSsh(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<Client> {
  const { default: ssh2 } = await import('ssh2');
  const password = optionalCredentialText(data, 'password');
  const privateKey = optionalCredentialText(data, 'privateKey');
  const passphrase = optionalCredentialText(data, 'passphrase');
  const sock = await openSocket(ports, hostOf(data), numberOf(data, 'port', 22), { signal }, timeoutMs);
  const client = new ssh2.Client();
  // Servers that ask "Password:" rather than take it by the method of that name.
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) => finish(prompts.map(() => password)));
  try {
    const ready = once(client, 'ready', { signal });
    ready.catch(() => undefined); // connect() may throw first (an unreadable key), and the signal fire when nobody waits any more
    client.connect({
      sock,
      username: optionalCredentialText(data, 'username'),
      ...(password !== '' && { password, tryKeyboard: true }),
      ...(privateKey !== '' && { privateKey: pem(privateKey) }),
      ...(passphrase !== '' && { passphrase }),
      readyTimeout: timeoutMs,
    });
    await ready;
    client.on('error', () => {});
    return client;
  } catch (error) {
    client.on('error', () => {});
    client.destroy();
    throw error;
  }
}
