import type { ExecutionLife, ExecutionWaitRepository, RequestWait } from '@sluice/db';
import { isExecutionId, isTerminal } from '@sluice/domain';
import type { ExecutionNotifier } from '@sluice/queue';
import type { ResumeTokens } from '@sluice/vault';
import type { Request } from 'express';
import { AlreadyResumedError, NotWaitingYetError } from './errors.ts';

/** Parts of a URL that resumes an execution: `…-waiting/<execution>/<token>[/<suffix>]`. */
export interface ResumeAddress {
  executionId: string;
  /** Token of a wait; for forms also the key of the form that started the execution. */
  token: string;
  suffix: string;
}

export function resumeAddressOf({ params }: Request): ResumeAddress {
  const { executionId = '', token = '', suffix = [] } = params as Record<string, string> & { suffix?: string[] };
  return { executionId, token, suffix: [suffix].flat().join('/') };
}

interface UpcomingWaitsOptions {
  executionWaits: Pick<ExecutionWaitRepository, 'findRequestWaits' | 'findLife'>;
  tokens: Pick<ResumeTokens, 'isIssued'>;
  /** Fed by the `ended` signal, which is also sent when an execution starts to wait. */
  notifier: Pick<ExecutionNotifier, 'readUntil'>;
}

type TokenAddress = Pick<ResumeAddress, 'executionId' | 'token'>;

/** Milliseconds that a request is held for a wait that has not started. */
const holdMs = 5_000;
/** Milliseconds between reads of the database, in case a notification is lost. */
const pollMs = 1_000;

/**
 * Waits whose addresses are known before they begin: a fast request to such an address is held, not
 * refused.
 */
export class UpcomingWaits {
  readonly #options: UpcomingWaitsOptions;

  constructor(options: UpcomingWaitsOptions) {
    this.#options = options;
  }

  /**
   * The wait that `pick` finds among those with the token, as soon as it begins. `undefined`
   * if the address was never issued. Throws `NotWaitingYetError` after a few seconds, and
   * `AlreadyResumedError` if the execution has ended.
   */
  async find<Wait extends object>(
    address: TokenAddress,
    pick: (waits: readonly RequestWait[]) => Wait | undefined,
    disconnected: AbortSignal,
  ): Promise<Wait | undefined> {
    const { executionId, token } = address;
    if (!isExecutionId(executionId)) return undefined;
    const { executionWaits, notifier } = this.#options;
    const wait = pick(await executionWaits.findRequestWaits(executionId, token));
    if (wait) return wait;
    const found = await notifier.readUntil(executionId, { timeoutMs: holdMs, pollMs, signal: disconnected }, async () => {
      const seen = await this.read(address, pick);
      if (seen === 'ended') throw new AlreadyResumedError();
      return seen === 'upcoming' ? undefined : { wait: seen };
    });
    if (!found) throw new NotWaitingYetError();
    return found.wait;
  }

  /** The wait that `pick` finds now, or the result of `statusOf`. */
  async read<Wait extends object>(
    address: TokenAddress,
    pick: (waits: readonly RequestWait[]) => Wait | undefined,
  ): Promise<Wait | 'upcoming' | 'ended' | undefined> {
    const { executionId, token } = address;
    if (!isExecutionId(executionId)) return undefined;
    const { executionWaits } = this.#options;
    const life = await executionWaits.findLife(executionId);
    if (!life) return undefined;
    return pick(await executionWaits.findRequestWaits(executionId, token)) ?? this.statusOf(address, life);
  }

  /**
   * The status of a token that no wait has. `upcoming`: the next wait will have it; `ended`: no
   * wait will have it; `undefined`: it was never issued. `life` is read before the waits: a wait
   * that begins in between is among them.
   */
  statusOf({ executionId, token }: TokenAddress, life: ExecutionLife): 'upcoming' | 'ended' | undefined {
    const subject = { executionId, createdAt: life.createdAt.getTime(), attempt: life.lastWait ?? 1 };
    if (!this.#options.tokens.isIssued(token, subject)) return undefined;
    return isTerminal(life.status) ? 'ended' : 'upcoming';
  }
}
