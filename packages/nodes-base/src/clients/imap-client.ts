import { domainToASCII } from 'node:url';
import { AppError, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { ImapFlow } from 'imapflow';
import { maxResultBytes } from '../shared/byte-budget.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { openHttpBridge } from './http-bridge.ts';
import { type ConnectPort, loginTimeoutMs } from './open-socket.ts';

/** A logged-in client and its close function. */
export interface OpenImap {
  client: ImapFlow;
  close(): Promise<void>;
}

/** Limits on one server response. */
const limits = {
  maxLiteralSize: maxResultBytes,
  // Lines are parsed at once: two microseconds for each byte.
  maxLineLength: 256 * 1024,
  maxResponseSize: maxResultBytes + 1024 * 1024,
};

/** Milliseconds between IDLE commands: idle connections are dropped by routers on the path. */
const idleMs = 4 * 60_000;

/** Milliseconds without a command before the client starts to IDLE. */
const quietMs = 500;

/**
 * Logs in with a credential of type `imap`. Between commands, the client idles and emits `exists`
 * for new mail in the open mailbox.
 */
export async function openImap(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenImap> {
  const { ImapFlow: Client } = await import('imapflow');
  const host = asciiHost(hostOf(data));
  const bridge = await openHttpBridge(ports, signal);
  const client = new Client({
    host,
    port: numberOf(data, 'port', 993),
    secure: flagOf(data, 'secure', true),
    auth: { user: optionalCredentialText(data, 'user'), pass: optionalCredentialText(data, 'password') },
    tls: { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    proxy: `http://${bridge.user}:${bridge.password}@${bridge.host}:${bridge.port}`,
    connectionTimeout: loginTimeoutMs,
    greetingTimeout: loginTimeoutMs,
    maxIdleTime: idleMs,
    autoIdleDelay: quietMs,
    ...limits,
    logger: false,
  });
  // A later failure is reported by the next command.
  client.on('error', () => {});
  const close = async () => {
    client.close();
    await bridge.close();
  };
  try {
    await Promise.race([client.connect(), bridge.failed]);
    return { client, close };
  } catch (error) {
    await close();
    throw imapError(error);
  }
}

/** Converts internationalized host names to the ASCII form that DNS and proxies use. */
function asciiHost(host: string): string {
  const name = /^[!-~]*$/.test(host) ? host : domainToASCII(host);
  if (name === '' && host !== '')
    throw new AppError({ code: 'CONNECTION_FAILED', message: 'no connection: the field "host" is not a host name' });
  return name;
}

/** Replaces the library's "Command failed" with the server's own message if there is one. */
export function imapError(error: unknown): unknown {
  const text = (error as { responseText?: unknown } | null)?.responseText;
  return typeof text === 'string' && text !== '' ? new Error(text, { cause: error }) : error;
}
