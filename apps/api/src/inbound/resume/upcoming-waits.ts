import type { CallWait, ExecutionWaits } from '@sluice/db';
import { type ExecutionId, isExecutionId, isTerminal } from '@sluice/domain';
import type { ExecutionNotifier } from '@sluice/queue';
import type { ResumeTokens } from '@sluice/vault';
import { AlreadyResumedError, NotWaitingYetError } from '../shared/errors.ts';

interface UpcomingWaitsOptions {
  waits: Pick<ExecutionWaits, 'listCalls' | 'findLife'>;
  tokens: Pick<ResumeTokens, 'isIssued'>;
  /** Fed by the `ended` signal, which also tells that an execution waits. */
  notifier: Pick<ExecutionNotifier, 'subscribe'>;
}

/** An address of an execution that is called. */
interface TokenAddress {
  executionId: string;
  token: string;
}

/** Milliseconds that a call is held for a wait that has not begun. */
const holdMs = 5_000;
/** Milliseconds after which the database is asked all the same: a message may be lost. */
const lookAgainMs = 1_000;

/** Waits whose addresses are out already, though they have not begun: whoever is quick to call there is not turned away. */
export class UpcomingWaits {
  readonly #options: UpcomingWaitsOptions;

  constructor(options: UpcomingWaitsOptions) {
    this.#options = options;
  }

  /**
   * What `pick` finds among the waits of an execution for calls, as soon as it is there; `undefined`: nothing is, or ever was to be, at the address. Throws
   * `NotWaitingYetError` where it has not begun after a few seconds, and `AlreadyResumedError` where it never will: the execution has ended.
   */
  async find<Wait extends object>(
    address: TokenAddress,
    pick: (calls: readonly CallWait[]) => Wait | undefined,
    gone: AbortSignal,
  ): Promise<Wait | undefined> {
    const { executionId } = address;
    if (!isExecutionId(executionId)) return undefined;
    const { waits, notifier } = this.#options;
    const found = pick(await waits.listCalls(executionId));
    if (found) return found;
    const until = performance.now() + holdMs;
    for (;;) {
      // Subscribes before each read, so no notification falls between the two.
      const left = until - performance.now();
      const subscription = notifier.subscribe(executionId, Math.max(1, Math.min(lookAgainMs, left)), gone);
      try {
        const seen = await this.look(address, pick);
        if (typeof seen !== 'string') return seen;
        if (seen === 'ended') throw new AlreadyResumedError();
        if (left <= 0 || gone.aborted) throw new NotWaitingYetError();
        await subscription.next;
      } finally {
        subscription.unsubscribe();
      }
    }
  }

  /** What `pick` finds now, or, as `foresee` has it, what becomes of the address. */
  async look<Wait extends object>(
    { executionId, token }: TokenAddress,
    pick: (calls: readonly CallWait[]) => Wait | undefined,
  ): Promise<Wait | 'upcoming' | 'ended' | undefined> {
    if (!isExecutionId(executionId)) return undefined;
    const calls = await this.#options.waits.listCalls(executionId);
    return pick(calls) ?? this.foresee(executionId, token, calls);
  }

  /**
   * What becomes of a token that none of the waits for calls has, the newest first: `upcoming`, that of the next one; `ended`, there will be none. `undefined`: nobody
   * has issued it.
   */
  async foresee(
    executionId: ExecutionId,
    token: string,
    [newest]: readonly CallWait[],
  ): Promise<'upcoming' | 'ended' | undefined> {
    const { waits, tokens } = this.#options;
    const life = await waits.findLife(executionId);
    if (!life) return undefined;
    const subject = { executionId, createdAt: life.createdAt.getTime(), attempt: newest?.attempt ?? 1 };
    if (!tokens.isIssued(token, subject)) return undefined;
    return isTerminal(life.status) ? 'ended' : 'upcoming';
  }
}
