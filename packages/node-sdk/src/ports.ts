import type { Socket } from 'node:net';
import type { HttpClient } from './http.ts';

/** What authentication is given of the world outside. */
export interface AuthenticationPorts {
  /** The guarded client; for token endpoints, and for the requests of tests. */
  readonly http: Pick<HttpClient, 'request'>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Bytes that nobody can guess. */
  randomBytes(size: number): Uint8Array;
}

export interface ConnectOptions {
  /** Speak TLS from the first byte; `servername` defaults to the host. Protocols that upgrade later do so on the plain socket. */
  tls?: boolean | { servername?: string; rejectUnauthorized?: boolean; ca?: string; cert?: string; key?: string } | undefined;
  signal: AbortSignal;
}

/** What tests of credentials are given: nothing of them reaches the outside by any other way. */
export interface CredentialPorts extends AuthenticationPorts {
  /**
   * Opens a TCP connection. The SSRF guard always refuses the service's own endpoints, and private targets in
   * `strict` mode. Resolves once connected (and, with `tls`, once the
   * certificate was accepted); the caller destroys the socket. Rejects with the signal's reason, or with an `AppError` whose
   * message holds no address.
   */
  connect(host: string, port: number, options: ConnectOptions): Promise<Socket>;
}
