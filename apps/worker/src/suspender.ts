import { randomBytes } from 'node:crypto';
import type {
  AttemptRef,
  CalledExecutions,
  ClaimedExecution,
  EndedWait,
  ExecutionInput,
  ExecutionWaits,
  NewChild,
} from '@sluice/db';
import type { ResumeEvent, Suspension, WorkerId, WorkflowRun } from '@sluice/domain';
import type { RunOutcome, RunRequest } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';
import { untilAvailable } from './until-available.ts';
import type { WaitClock } from './wait-clock.ts';

export type WaitingOutcome = Extract<RunOutcome, { status: 'waiting' }>;

export interface SuspenderOptions {
  waits: ExecutionWaits;
  called: CalledExecutions;
  workerId: () => WorkerId;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
  /** JSON that called workflows may give in all. */
  maxResultBytes: number;
  /** Told of each wait for a time, once it is written. */
  clock: Pick<WaitClock, 'expect'>;
}

/** What an execution has to do with waits: what it goes on with, and how a call reaches it. */
export interface WaitState {
  resumeToken: string;
  resumed: RunRequest['resumed'];
}

const tokenBytes = 24;

/** Writes the waits of executions, and reads them when they are over. */
export class Suspender {
  readonly #options: SuspenderOptions;

  constructor(options: SuspenderOptions) {
    this.#options = options;
  }

  /** What this attempt goes on with. The first one begins anew, with a new token. */
  async stateOf(claimed: ClaimedExecution, signal: AbortSignal): Promise<WaitState> {
    if (claimed.attempt === 1) return { resumeToken: newToken(), resumed: undefined };
    const ended = await untilAvailable(() => this.#options.waits.findEnded(claimed), signal);
    if (!ended) throw new Error(`attempt ${claimed.attempt} of execution ${claimed.executionId} has waited for nothing`);
    const event = await this.#eventOf(ended, signal);
    // A wait for a call uses its token up. Before that it may be in a message that has been sent.
    const resumeToken = ended.kind === 'call' ? newToken() : ended.resumeToken;
    return { resumeToken, resumed: { ...ended.suspended, event } };
  }

  /** Where a call resumes the execution; `undefined` where nobody knows the address. */
  addressOf({ executionId }: ClaimedExecution, { resumeToken }: WaitState): { url: string; formUrl: string } | undefined {
    const { publicUrl } = this.#options;
    if (publicUrl === null) return undefined;
    const place = `${executionId}/${resumeToken}`;
    return { url: `${publicUrl}/webhook-waiting/${place}`, formUrl: `${publicUrl}/form-waiting/${place}` };
  }

  /**
   * Writes the wait; with it the worker lets go of the execution. `undefined`: it was not this worker's any more. Throws `ConflictError`
   * when what it calls has been deleted meanwhile.
   */
  async suspend(
    { executionId, attempt }: ClaimedExecution,
    { suspension, suspended }: WaitingOutcome,
    { resumeToken, scrubber }: { resumeToken: string; scrubber: SecretScrubber },
    closing: AbortSignal,
  ): Promise<{ first: AttemptRef | undefined } | undefined> {
    const { waits, workerId, clock } = this.#options;
    const children = suspension.kind === 'workflows' ? suspension.runs.map((run) => toChild(run, scrubber)) : [];
    const waitMs = waitMsOf(suspension);
    const wait = { executionId, attempt, workerId: workerId(), suspended, suspension, resumeToken, waitMs, children };
    const written = await untilAvailable(() => waits.suspend(wait), closing);
    if (written && waitMs !== undefined) clock.expect(waitMs);
    return written;
  }

  async #eventOf(ended: EndedWait, signal: AbortSignal): Promise<ResumeEvent> {
    const { called, maxResultBytes } = this.#options;
    if (ended.kind === 'workflows')
      return { kind: 'workflows', results: await untilAvailable(() => called.readResults(ended, maxResultBytes), signal) };
    return ended.received ? { kind: 'call', request: ended.received } : { kind: 'time' };
  }
}

function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

function waitMsOf(suspension: Suspension): number | undefined {
  if (suspension.kind === 'workflows' || suspension.at === undefined) return undefined;
  return Math.max(0, suspension.at - Date.now());
}

/** What a called workflow begins with is stored, so it holds no more of a secret than the node runs do. */
function toChild({ workflow, items }: WorkflowRun, scrubber: SecretScrubber): NewChild {
  return { workflow, inputJson: calledInputJson(items, scrubber) };
}

export function calledInputJson(items: WorkflowRun['items'], scrubber: SecretScrubber): string {
  const input: ExecutionInput = { trigger: { type: 'execute-workflow-trigger', items: [...items] } };
  return scrubber.scrubJson(JSON.stringify(input));
}
