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
  // Lines are parsed at once: 0.5 microseconds per byte. 10,000 UIDs fit into one line.
  maxLineLength: 128 * 1024,
  maxResponseSize: maxResultBytes + 1024 * 1024,
};

/** Maximum number of literals in a response: each makes parsing all later literals slower. */
const maxLiterals = 1_000;

/** Milliseconds between IDLE commands: idle connections are dropped by routers on the path. */
const idleMs = 4 * 60_000;

/** Idle time in milliseconds before the client sends IDLE. */
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
  boundResponses(client);
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

/** Members of the library's response reader that are used here. */
interface Reader {
  /** Literals, and lines before them, of the current response. */
  literals: readonly Buffer[];
  inputBuffer: readonly Buffer[];
  checkLineLength(length: number): boolean;
  failStream(error: Error): false;
}

/**
 * Bounds the total size of a response's literals and of its lines: literals split lines that are
 * parsed at once.
 */
function boundResponses(client: ImapFlow): void {
  const { streamer } = client as unknown as { streamer: Reader };
  const { checkLineLength } = streamer;
  streamer.checkLineLength = (length) => {
    const { literals, inputBuffer } = streamer;
    if (literals.length > maxLiterals)
      return streamer.failStream(new Error(`a server response has more than ${maxLiterals} literals`));
    const earlier = inputBuffer.reduce((sum, line) => sum + line.length, 0);
    return checkLineLength.call(streamer, earlier + length);
  };
}

/** Converts internationalized host names to the ASCII form that DNS and proxies use. */
function asciiHost(host: string): string {
  const name = /^[!-~]*$/.test(host) ? host : domainToASCII(host);
  if (name === '' && host !== '')
    throw new AppError({ code: 'CONNECTION_FAILED', message: 'no connection: the field "host" is not a host name' });
  return name;
}

/** Replaces the library's "Command failed" with the server's own message, if available. */
export function imapError(error: unknown): unknown {
  const text = (error as { responseText?: unknown } | null)?.responseText;
  return typeof text === 'string' && text !== '' ? new Error(text, { cause: error }) : error;
}
