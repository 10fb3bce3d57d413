import { type JsonObject, optionalCredentialText } from '@sluice/node-sdk';
import type { ImapFlow } from 'imapflow';
import { flagOf, hostOf, numberOf } from './client-data.ts';
import { type ConnectPort, loginTimeoutMs } from './open-socket.ts';
import { openSocksBridge } from './socks-bridge.ts';

/** A client that is logged in, with what it needs to go. */
export interface OpenImap {
  client: ImapFlow;
  close(): Promise<void>;
}

/** Logs in, from a credential of type `imap`. */
export async function openImap(data: JsonObject, ports: ConnectPort, signal: AbortSignal): Promise<OpenImap> {
  const { ImapFlow: Client } = await import('imapflow');
  const bridge = await openSocksBridge(ports, signal);
  const client = new Client({
    host: hostOf(data),
    port: numberOf(data, 'port', 993),
    secure: flagOf(data, 'secure', true),
    auth: { user: optionalCredentialText(data, 'user'), pass: optionalCredentialText(data, 'password') },
    tls: { rejectUnauthorized: !flagOf(data, 'allowUnauthorizedCerts') },
    proxy: `socks5://${bridge.user}:${bridge.password}@${bridge.host}:${bridge.port}`,
    connectionTimeout: loginTimeoutMs,
    greetingTimeout: loginTimeoutMs,
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
    throw toError(error);
  }
}

/** The server's own words, where it said some: the library's are "Command failed". */
function toError(error: unknown): unknown {
  const text = (error as { responseText?: unknown } | null)?.responseText;
  return typeof text === 'string' && text !== '' ? new Error(text, { cause: error }) : error;
}
