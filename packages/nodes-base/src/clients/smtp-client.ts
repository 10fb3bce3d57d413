import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Transporter } from 'nodemailer';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/** Messages over one connection, where it is kept: servers like to be left then. */
const maxMessages = 100;

/**
 * A way to send mail, from a credential of type `smtp`. It reads no files and no URLs. It connects for each use; with `keep` the
 * connection stays for the next, one message after the other, until the transport is closed.
 */
export async function createSmtpTransport(
  data: JsonObject,
  ports: ConnectPort,
  signal: AbortSignal,
  { keep = false }: { keep?: boolean } = {},
): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const host = hostOf(data);
  const secure = flagOf(data, 'secure', true);
  const port = numberOf(data, 'port', 465);
  const user = optionalCredentialText(data, 'user');
  const name = optionalCredentialText(data, 'hostName');
  return createTransport({
    ...(keep && { pool: true, maxConnections: 1, maxMessages }),
    host,
    port,
    secure,
    ignoreTLS: flagOf(data, 'disableStartTls'),
    ...(name !== '' && { name }),
    ...(user !== '' && { auth: { user, pass: optionalCredentialText(data, 'password') } }),
    tls: { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    connectionTimeout: loginTimeoutMs,
    greetingTimeout: loginTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket(_, callback) {
      openSocket(ports, host, port, { signal }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, false),
      );
    },
  });
}
