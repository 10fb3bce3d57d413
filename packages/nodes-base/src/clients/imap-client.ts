import { domainToASCII } from 'node:url';
import { AppError, type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { ImapFlow } from 'imapflow';
import { maxResultBytes } from '../shared/byte-budget.ts';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { openHttpBridge } from './http-bridge.ts';
import { type ConnectPort, loginTimeoutMs } from './open-socket.ts';

/** A client that is logged in, with what it needs to go. */
export interface OpenImap {
  client: ImapFlow;
  close(): Promise<void>;
}

/** Bounds of what a server may send in one answer. */
const limits = {
  maxLiteralSize: maxResultBytes,
  maxLineLength: 8 * 1024 * 1024,
  maxResponseSize: maxResultBytes + 1024 * 1024,
};

/** Milliseconds after which a client that waits for news asks anew: connections of which nobody hears are cut in between. */
const idleMs = 4 * 60_000;

/** Milliseconds without a command after which a client waits for news. */
const quietMs = 500;

/**
 * Logs in, from a credential of type `imap`. While nothing is asked, the client waits for news of the mailbox that is open (event `exists`).
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
  // What breaks later, the next command says.
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

/** Names beyond ASCII as DNS and proxies know them. */
function asciiHost(host: string): string {
  const name = /^[!-~]*$/.test(host) ? host : domainToASCII(host);
  if (name === '' && host !== '')
    throw new AppError({ code: 'CONNECTION_FAILED', message: 'no connection: the field "host" is not the name of one host' });
  return name;
}

/** The server's own words, where it said some: the library's are "Command failed". */
export function imapError(error: unknown): unknown {
  const text = (error as { responseText?: unknown } | null)?.responseText;
  return typeof text === 'string' && text !== '' ? new Error(text, { cause: error }) : error;
}
