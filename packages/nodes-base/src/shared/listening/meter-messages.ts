import type { Socket } from 'node:net';
import type { ListenContext } from '@sluice/node-sdk';
import { ByteBudget } from '../byte-budget.ts';
import { keepAlive } from './keep-alive.ts';

/**
 * Limits the bytes read for one message, on a stream that a client already reads from; the caller
 * resets the budget for each message. Exceeding it ends the connection and the listener. Also
 * detects a lost peer.
 */
export function meterMessages(stream: Socket, context: Pick<ListenContext, 'failed'>): ByteBudget {
  keepAlive(stream);
  const budget = new ByteBudget((error) => {
    context.failed(error);
    stream.destroy();
  });
  stream.on('data', (chunk) => budget.spend(chunk.length));
  return budget;
}
