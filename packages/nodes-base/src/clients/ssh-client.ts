import { once } from 'node:events';
import { type AppError, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Client, ConnectConfig, KexAlgorithm } from 'ssh2';
import { coercedText } from '../shared/coerced-text.ts';
import { closedByServer } from '../shared/listening/closed-by-server.ts';
import { pem } from '../shared/pem.ts';
import { hostOf, numberOf } from './client-data.ts';
import { fingerprintOf, hostKeyChanged, hostKeyNotTrusted, trustedFingerprints } from './host-keys.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/**
 * A logged-in SSH client, from a credential of type `sshPassword`, `sshPrivateKey`, or `sftp`; the
 * caller ends it. Throws `HOST_KEY_NOT_TRUSTED` before the login if the credential does not trust
 * the server's host key.
 */
export async function openSsh(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs = loginTimeoutMs,
): Promise<Client> {
  const trusted = trustedFingerprints(data);
  const password = optionalCredentialText(data, 'password');
  const privateKey = optionalCredentialText(data, 'privateKey');
  const passphrase = optionalCredentialText(data, 'passphrase');
  return connected(data, ports, signal, timeoutMs, {
    ...(password !== '' && { password, tryKeyboard: true }),
    ...(privateKey !== '' && { privateKey: pem(privateKey) }),
    ...(passphrase !== '' && { passphrase }),
    accepts: (fingerprint) => trusted.length === 0 || trusted.includes(fingerprint),
  });
}

/** Client → why its server's host key was refused. */
const refusals = new WeakMap<Client, AppError>();

/** The error for a connection that has ended: a refused host key, or `closedByServer`. */
export function closeReasonOf(client: Client): AppError {
  return refusals.get(client) ?? closedByServer();
}

/** Fingerprint of the server's current key. Only the handshake is sent. */
export async function fetchHostKey(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<string> {
  let presented = '';
  const accepts = (fingerprint: string) => {
    presented = fingerprint;
    return false;
  };
  try {
    (await connected(data, ports, signal, loginTimeoutMs, { accepts })).destroy();
  } catch (error) {
    if (presented === '') throw error;
  }
  return presented;
}

type Login = Pick<ConnectConfig, 'password' | 'tryKeyboard' | 'privateKey' | 'passphrase'> & {
  /** Whether to trust this host key; called in every key exchange. */
  accepts: (fingerprint: string) => boolean;
};

/**
 * Key exchanges with a group that the server chooses. A 10,000-bit prime would block the event loop
 * for minutes, because the library checks it in one call.
 */
const serverChosenGroups: KexAlgorithm[] = ['diffie-hellman-group-exchange-sha256', 'diffie-hellman-group-exchange-sha1'];

async function connected(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  timeoutMs: number,
  { accepts, ...login }: Login,
): Promise<Client> {
  const { default: ssh2 } = await import('ssh2');
  const sock = await openSocket(ports, hostOf(data), numberOf(data, 'port', 22), { signal }, timeoutMs);
  const client = new ssh2.Client();
  // An error event without a listener ends the process. On an abort, the socket's error comes
  // before the rejection of `ready`, but after its listeners are removed.
  client.on('error', () => {});
  let first: string | undefined;
  const hostVerifier = (key: Buffer) => {
    const fingerprint = fingerprintOf(key);
    first ??= fingerprint;
    // Also without a trusted key: a different key in a later key exchange means a different server.
    if (fingerprint !== first) refusals.set(client, hostKeyChanged(first, fingerprint));
    else if (!accepts(fingerprint)) refusals.set(client, hostKeyNotTrusted(fingerprint));
    return !refusals.has(client);
  };
  // For servers that prompt for the password instead of using the `password` method.
  client.on('keyboard-interactive', (_name, _instructions, _language, prompts, finish) =>
    finish(prompts.map(() => coercedText(login.password))),
  );
  try {
    const ready = once(client, 'ready', { signal });
    ready.catch(() => undefined); // connect() may throw first (an unreadable key), and the signal may fire later
    client.connect({
      sock,
      username: optionalCredentialText(data, 'username'),
      ...login,
      hostVerifier,
      // Without compression: the library expands a packet in one call, to a thousand times its
      // size.
      algorithms: { kex: { remove: serverChosenGroups, append: [], prepend: [] }, compress: ['none'] },
      readyTimeout: timeoutMs,
    });
    await ready;
    return client;
  } catch (error) {
    client.destroy();
    sock.destroy(); // the client has no signal listener if connect() threw
    throw refusals.get(client) ?? error;
  }
}
