import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@sluice/contract';
import { pendingResponses } from '../request/limit-pipelining.ts';
import { type ApiErrorCode, errorStatuses } from './error-statuses.ts';

interface Refusal {
  code: ApiErrorCode;
  message: string;
}

/** Refusals by the code of the error of Node's HTTP parser. */
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'the headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', message: 'the request took too long to arrive' },
};

/** Connections that close after a pending response. */
const closing = new WeakSet<Duplex>();

/**
 * Handles the server's `clientError` event: responds to input that is not a valid HTTP request and
 * never reaches the app. If responses to earlier requests are pending, the broken request gets no
 * response, and the connection closes after the last of them.
 */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuse(socket, refusals[error.code ?? ''] ?? { code: 'VALIDATION_ERROR', message: 'the request is not valid HTTP' });
}

/** Handles the server's `connect` event: Node never passes the method CONNECT to the app. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuse(socket, { code: 'NOT_FOUND', message: 'there is nothing at this path' });
}

function refuse(socket: Duplex, { code, message }: Refusal): void {
  const pending = pendingResponses(socket).findLast(isExpected);
  if (pending) {
    closeAfter(pending, socket);
    return;
  }
  const status = errorStatuses[code];
  const details = status === 400 ? { details: [{ path: '', message }] } : {};
  const body: ErrorBody = { message, code, requestId: randomUUID(), ...details };
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/**
 * Whether the app will finish this response. False for the response to the broken request itself if
 * its headers were not sent: `refuse` sends that response.
 */
function isExpected({ req, headersSent }: ServerResponse): boolean {
  return req.complete || headersSent;
}

/** Closes the connection after a pending response, which earlier writes would corrupt. */
function closeAfter(pending: ServerResponse, socket: Duplex): void {
  if (closing.has(socket)) return; // Further bytes emit `clientError` again.
  closing.add(socket);
  if (!pending.headersSent) pending.setHeader('Connection', 'close');
  pending.once('close', () => socket.end(() => socket.destroy()));
}
