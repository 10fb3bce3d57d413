import type { NodeLogger } from '@sluice/node-sdk';
import { UncaughtNodeError } from '../errors.ts';
import type { UncaughtErrorPort } from '../ports.ts';
import { isPromiseLike } from './abort-watch.ts';

/** The owner of the running code. */
interface WatchedNode {
  nodeName: string;
  logger: Pick<NodeLogger, 'error'>;
}

/**
 * Returns the result of a node's work. Rejects with `UncaughtNodeError` if its code throws from a
 * timer or an event before the work is done. Later errors and unhandled rejections are logged.
 */
export function watchUncaughtErrors<T>(
  uncaughtErrors: UncaughtErrorPort | undefined,
  node: WatchedNode,
  work: () => T | PromiseLike<T>,
): T | PromiseLike<T> {
  if (!uncaughtErrors) return work();
  const watch = new UncaughtErrorWatch(node);
  return watch.settle(uncaughtErrors.run(watch, work));
}

/** Timers and sockets that outlive the node retain this object, so it contains no node data. */
class UncaughtErrorWatch {
  readonly logger: WatchedNode['logger'];
  readonly #nodeName: string;
  #reject: ((error: UncaughtNodeError) => void) | undefined;

  constructor({ nodeName, logger }: WatchedNode) {
    this.#nodeName = nodeName;
    this.logger = logger;
  }

  failed(error: unknown, kind: 'thrown' | 'rejected'): void {
    if (kind === 'thrown') this.#reject?.(new UncaughtNodeError(this.#nodeName, error));
  }

  settle<T>(result: T | PromiseLike<T>): T | PromiseLike<T> {
    if (!isPromiseLike(result)) return result;
    const over = <V>(then: (value: V) => void) => {
      return (value: V) => {
        this.#reject = undefined;
        then(value);
      };
    };
    return new Promise<T>((resolve, reject) => {
      this.#reject = reject;
      result.then(over(resolve), over(reject));
    });
  }
}
