import type { Socket } from 'node:net';
import { types } from 'node:util';
import { AppError } from '@sluice/node-sdk';
import { ByteBudget } from '../shared/byte-budget.ts';
import { loginTimeoutMs } from './open-socket.ts';

/** How a connection ends before its client says so. */
export interface ConnectionLoss {
  /** Rejects with what ended the connection; never resolves. */
  lost: Promise<never>;
  /** Ends it, with a reason that a client found. */
  lose(reason: unknown): void;
  /** Tells that a message is complete: what a listener reads is bounded for each of them, not in all. */
  refill(): void;
}

/** Milliseconds that a client may take to say goodbye. */
export const goodbyeMs = 1_000;

/** Watches a socket that a client reads from already: its errors, its end, and a server that sends more than a run may read. */
export function watchLoss(socket: Socket): ConnectionLoss {
  const { promise: lost, reject } = Promise.withResolvers<never>();
  lost.catch(() => {});
  const lose = (reason: unknown) => {
    reject(reason);
    // With an error, which every client listens to: some do not hear of a mere close, and their timers would go on.
    socket.destroy(types.isNativeError(reason) ? reason : undefined);
  };
  socket.once('error', lose);
  socket.once('close', () => lose(transient('the server closed the connection')));
  const budget = new ByteBudget(lose);
  socket.on('data', (chunk) => budget.spend(chunk.length));
  return { lost, lose, refill: () => budget.refill() };
}

/** What a server answers to one request. Rejects when the connection is lost, or with `CONNECTION_FAILED` where nothing comes within `timeoutMs`. */
export async function answered<T>(answer: Promise<T>, lost: Promise<never>, timeoutMs = loginTimeoutMs): Promise<T> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  const message = `the server did not answer within ${timeoutMs / 1_000} seconds`;
  const timer = setTimeout(() => reject(transient(message)), timeoutMs);
  try {
    return await Promise.race([answer, lost, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets a client say goodbye, not for long, and ends its socket. Never rejects: what has been answered stays true, however the connection ends. */
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

function transient(message: string): AppError {
  return new AppError({ code: 'CONNECTION_FAILED', message, kind: 'transient' });
}
