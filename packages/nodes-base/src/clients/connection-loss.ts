import type { Socket } from 'node:net';
import { types } from 'node:util';
import { AppError, within } from '@sluice/node-sdk';
import { ByteBudget } from '../shared/byte-budget.ts';
import { loginTimeoutMs } from './open-socket.ts';

/** Detects the loss of a connection, including losses that the client library does not report. */
export interface ConnectionLoss {
  /** Rejects with the error that ended the connection; never resolves. */
  lost: Promise<never>;
  /** Ends the connection with a reason that the client detected. */
  lose(reason: unknown): void;
  /** Marks a message as complete: for listeners, the byte budget applies to each message. */
  refill(): void;
}

/** Time that a client has to close its session, in milliseconds. */
export const goodbyeMs = 1_000;

/**
 * Watches a socket that a client already reads from: for errors, its end, and more data than a run
 * may read.
 */
export function watchLoss(socket: Socket): ConnectionLoss {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => {});
  const lose = (reason: unknown) => {
    reject(reason);
    // With an error, which every client handles. Some clients ignore a plain close, and their
    // timers keep running.
    socket.destroy(types.isNativeError(reason) ? reason : undefined);
  };
  socket.once('error', (error: NodeJS.ErrnoException) =>
    lose(error.syscall === undefined ? error : transient('the connection was lost', error)),
  );
  socket.once('close', () => lose(transient('the server closed the connection')));
  const budget = new ByteBudget(lose);
  socket.on('data', (chunk) => budget.spend(chunk.length));
  return { lost, lose, refill: () => budget.refill() };
}

/**
 * The server's response to one request. Rejects when the connection is lost, or with
 * `CONNECTION_FAILED` after `timeoutMs`.
 */
export async function answered<T>(answer: Promise<T>, lost: Promise<never>, timeoutMs = loginTimeoutMs): Promise<T> {
  const settled = await within(
    timeoutMs,
    Promise.race([answer, lost]).then((value) => ({ value })),
  );
  if (!settled) throw transient(`the server did not respond within ${timeoutMs / 1_000} seconds`);
  return settled.value;
}

/**
 * Closes the client's session within a short time, then its socket. Never rejects: a failed close
 * does not invalidate earlier responses.
 */
export async function leave(
  socket: Socket,
  { lost, lose }: Pick<ConnectionLoss, 'lost' | 'lose'>,
  goodbye: () => Promise<unknown>,
): Promise<void> {
  if (socket.destroyed) return;
  try {
    await answered(goodbye(), lost, goodbyeMs);
    socket.destroy();
  } catch (error) {
    lose(error);
  }
}

function transient(message: string, cause?: Error): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message, kind: 'transient', cause });
}
