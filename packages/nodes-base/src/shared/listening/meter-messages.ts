import type { Socket } from 'node:net';
import type { ListenContext } from '@sluice/node-sdk';
import { ByteBudget } from '../byte-budget.ts';
import { keepAlive } from './keep-alive.ts';

/**
 * Bounds what a listener reads for one message, on a stream that its client reads from already; the caller refills the budget at each message. More ends
 * the connection and the listener. A peer that is gone without a word is noticed, too.
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
