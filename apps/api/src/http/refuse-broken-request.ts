import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '@sluice/contract';
import { type ApiErrorCode, errorStatuses } from './error-statuses.ts';

interface Refusal {
  code: ApiErrorCode;
  message: string;
}

const answers: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { code: 'HEADERS_TOO_LARGE', message: 'the headers are too large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'REQUEST_TIMEOUT', message: 'the request took too long to arrive' },
};

/** Answers what is no HTTP request, and so never reaches the app: for the server's `clientError` event. */
export function refuseBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuse(socket, answers[error.code ?? ''] ?? { code: 'VALIDATION_ERROR', message: 'this is no HTTP request' });
}

/** Answers the method CONNECT, which the app never sees: for the server's `connect` event. */
export function refuseTunnel(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  refuse(socket, { code: 'NOT_FOUND', message: 'there is nothing at this path' });
}

function refuse(socket: Duplex, { code, message }: Refusal): void {
  const status = errorStatuses[code];
  const body: ErrorBody = { message, code, requestId: randomUUID() };
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
  );
}
