import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { Transporter } from 'nodemailer';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs, openSocket } from './open-socket.ts';

/**
 * Maximum size of all replies on a connection, in bytes. The library keeps unsolicited replies,
 * even if they are empty.
 */
const maxReadBytes = 4 * 1024 * 1024;
/** Maximum number of messages per kept connection: many servers limit them. */
const maxMessages = 100;

/**
 * A mail transport, from a credential of type `smtp`. It reads no files or URLs. It opens a
 * connection for each message; with `keep`, it reuses one connection, message by message, until the
 * transport is closed.
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
      openSocket(ports, host, port, { signal, maxReadBytes }).then(
        (connection) => callback(null, { connection }),
        (error: Error) => callback(error, false),
      );
    },
  });
}
