import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@sluice/contract';
import type { RequestHandler } from 'express';
import { type ApiErrorCode, errorStatuses } from './error-statuses.ts';

interface Refusal {
  code: ApiErrorCode;
  message: string;
}

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'the headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', message: 'the request took too long to arrive' },
};

/** The response to the last request of each connection, after the previous one if that is still pending. */
const lastResponses = new WeakMap<Duplex, readonly ServerResponse[]>();

/** Connections that close after a pending response. */
const ending = new WeakSet<Duplex>();

/** Records the pending responses of a connection. */
export const noteResponse: RequestHandler = ({ socket }, response, next) => {
  const before = lastResponses.get(socket)?.at(-1);
  lastResponses.set(socket, before && !isOver(before) ? [before, response] : [response]);
  next();
};

/**
 * Handles the server's `clientError` event: responds to input that is not a valid HTTP request and
 * never reaches the app. If responses to earlier requests are pending, it gets no response, and the
 * connection closes after the last of them.
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
  // The response to the broken request itself has not been started; this is that response.
  const isForeign = (pending: ServerResponse) => !isOver(pending) && (pending.req.complete || pending.headersSent);
  const due = lastResponses.get(socket)?.findLast(isForeign);
  if (due) {
    endAfter(due, socket);
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

function isOver({ writableFinished, destroyed }: ServerResponse): boolean {
  return writableFinished || destroyed;
}

/** Closes the socket after a pending response. Anything written before would corrupt that response. */
function endAfter(pending: ServerResponse, socket: Duplex): void {
  if (ending.has(socket)) return; // further bytes raise the event again
  ending.add(socket);
  if (!pending.headersSent) pending.setHeader('Connection', 'close');
  pending.once('close', () => socket.end(() => socket.destroy()));
}
