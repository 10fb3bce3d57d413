import type { NodeLogger } from '@sluice/node-sdk';
import { UncaughtNodeError } from './errors.ts';
import type { StrayErrorPort } from './ports.ts';

/** Whose code runs. */
interface WatchedNode {
  nodeName: string;
  logger: Pick<NodeLogger, 'error'>;
}

/**
 * What the work of a node gives; it also rejects, with `UncaughtNodeError`, when its code throws from a timer or an event before it is done. What comes later,
 * and promises that fail unseen, are logged.
 */
export function watchStrays<T>(
  strays: StrayErrorPort | undefined,
  node: WatchedNode,
  work: () => T | PromiseLike<T>,
): T | PromiseLike<T> {
  if (!strays) return work();
  const watch = new StrayWatch(node);
  return watch.settle(strays.run(watch, work));
}

/** Timers and sockets that outlive the node hold on to it, so it holds nothing of what the node gives. */
class StrayWatch {
  readonly logger: WatchedNode['logger'];
  readonly #nodeName: string;
  #giveUp: ((error: UncaughtNodeError) => void) | undefined;

  constructor({ nodeName, logger }: WatchedNode) {
    this.#nodeName = nodeName;
    this.logger = logger;
  }

  failed(error: unknown, kind: 'thrown' | 'rejected'): void {
    if (kind === 'thrown') this.#giveUp?.(new UncaughtNodeError(this.#nodeName, error));
  }

  settle<T>(given: T | PromiseLike<T>): T | PromiseLike<T> {
    if (typeof given !== 'object' || given === null || !('then' in given)) return given;
    const over = <V>(then: (value: V) => void) => {
      return (value: V) => {
        this.#giveUp = undefined;
        then(value);
      };
    };
    return new Promise<T>((resolve, reject) => {
      this.#giveUp = reject;
      given.then(over(resolve), over(reject));
    });
  }
}
