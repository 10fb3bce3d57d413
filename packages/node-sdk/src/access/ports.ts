import type { Socket } from 'node:net';
import type { HttpClient } from '../http/http.ts';

export interface AuthenticationPorts {
  /** The guarded client, for token endpoints and test requests. */
  readonly http: Pick<HttpClient, 'request'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Cryptographically secure random bytes. */
  randomBytes(size: number): Uint8Array;
}

export interface ConnectOptions {
  /**
   * Starts TLS immediately; `servername` defaults to the host. Protocols that upgrade later do so
   * on the plain socket.
   */
  tls?: boolean | { servername?: string; rejectUnauthorized?: boolean; ca?: string; cert?: string; key?: string } | undefined;
  signal: AbortSignal;
}

/** Determines which addresses `connect` may reach; for connections that another thread opens. */
export interface ConnectGuard {
  /**
   * Whether a connection to a host and port is allowed, given all resolved addresses of the host.
   * Never rejects because of an address.
   */
  allows(host: string, addresses: readonly string[], port: number): Promise<boolean>;
}

/** Ports for credential tests, which reach remote hosts only through them. */
export interface CredentialPorts extends AuthenticationPorts {
  readonly connectGuard: ConnectGuard;
  /**
   * Opens a TCP connection. The SSRF guard always blocks the service's own endpoints, and in
   * `strict` mode private targets. Resolves once connected (with `tls`, once the certificate is
   * accepted); the caller destroys the socket. Rejects with the signal's reason or with an
   * `AppError` whose message contains no address.
   */
  connect(host: string, port: number, options: ConnectOptions): Promise<Socket>;
}
