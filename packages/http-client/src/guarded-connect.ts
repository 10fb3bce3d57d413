import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AppError, isAppError } from '@sluice/domain';
import type { ConnectGuard, CredentialPorts } from '@sluice/node-sdk';
import { createAddressPolicy } from './address-policy.ts';
import { blockedError, errorCode, reasons, unknownEndpoint } from './errors.ts';
import { checkLiteral, guardedLookup } from './guarded-lookup.ts';
import type { HttpClientOptions } from './http-client-options.ts';
import './outgoing-ciphers.ts';

/**
 * The guard for connections other than HTTP: to databases, mail servers, and file servers. Private
 * and local targets are blocked if the protection is `strict`. Unless it is `off`, metadata
 * services of clouds are, which have the credentials of the machine. The service's own endpoints
 * always are.
 */
export function createConnectGuard(options: HttpClientOptions): ConnectGuard {
  return createAddressPolicy({
    ...options,
    ssrfProtection: options.ssrfProtection === 'on' ? 'metadata' : options.ssrfProtection,
  });
}

/**
 * Checks the addresses with the guard before the connection, and the peer's address after it. The
 * `AppError`s are `CONNECTION_BLOCKED` (address not allowed) and `CONNECTION_FAILED` (transient).
 */
export function guardedConnect(policy: ConnectGuard): CredentialPorts['connect'] {
  return async (host, port, { tls = false, signal }) => {
    signal.throwIfAborted();
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw failed('the port is not a number from 1 to 65535');
    const name = host.replace(/^\[(.*)\]$/, '$1'); // IPv6 as in a URL
    await checkLiteral(policy, name, port).catch((error: unknown) => Promise.reject(toConnectionError(error)));
    signal.throwIfAborted();
    const target = { host: name, port, lookup: guardedLookup(policy, port) };
    const secure = tls === true ? {} : tls;
    const servername = isIP(name) === 0 ? { servername: name } : {};
    const socket = secure ? connectTls({ ...target, ...servername, ...secure }) : connectTcp(target);
    const checkPeer = async () => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined) throw failed('the connection was closed');
      if (!(await policy.allows(name, [remoteAddress], port))) throw blockedError();
    };
    return established(socket, secure ? 'secureConnect' : 'connect', checkPeer, signal);
  };
}

/** Waits for the socket's event and checks its peer. Errors are handled until then. */
function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  checkPeer: () => Promise<void>,
  signal: AbortSignal,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      signal.removeEventListener('abort', onAbort);
      socket.off('error', onError);
    };
    const onError = (error: unknown) => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(toConnectionError(error));
    };
    const onAbort = () => {
      settle();
      socket.on('error', () => undefined).destroy();
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('error', onError);
    const onChecked = () => {
      settle();
      resolve(socket);
    };
    socket.once(event, () => void checkPeer().then(onChecked, onError));
  });
}

function toConnectionError(error: unknown): AppError {
  if (isAppError(error)) return connectionError(error);
  return failed(reasons.get(errorCode(error)) ?? (errorCode(error) || 'the connection was closed'), error);
}

/** The same error with a connection error code. */
function connectionError(error: AppError): AppError {
  if (error.code === blockedError().code) return blocked();
  return error.code === 'HTTP_FAILED' ? failed(unknownEndpoint, error) : error;
}

function blocked(): AppError {
  return new AppError({
    code: 'CONNECTION_BLOCKED',
    message: 'this address is not allowed by the policy for outgoing connections',
  });
}

function failed(reason: string, cause?: unknown): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message: `no connection: ${reason}`, kind: 'transient', cause });
}
