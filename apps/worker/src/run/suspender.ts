import type {
  AttemptRef,
  CalledExecutionRepository,
  ClaimedExecution,
  EndedWait,
  ExecutionInput,
  ExecutionWaitRepository,
  NewChild,
} from '@sluice/db';
import {
  AppError,
  type Item,
  identifiersOf,
  type RequestSuspension,
  type ResumeEvent,
  type ResumeForm,
  type Suspension,
  stringifyJson,
  TimeSlice,
  untilAvailable,
  type WorkerId,
  type WorkflowGraph,
  type WorkflowRun,
  type WorkflowSuspension,
} from '@sluice/domain';
import type { RunOutcome, RunRequest } from '@sluice/engine';
import type { ResumeTokens, SecretScrubber } from '@sluice/vault';
import { fileIdsOf } from '../binary/file-ids.ts';
import type { WaitClock } from './wait-clock.ts';

export type WaitingOutcome = Extract<RunOutcome, { status: 'waiting' }>;

export interface SuspenderOptions {
  executionWaits: ExecutionWaitRepository;
  calledExecutions: CalledExecutionRepository;
  tokens: Pick<ResumeTokens, 'issue'>;
  workerId: () => WorkerId;
  /** Public URL of the API; null: unknown. */
  publicUrl: string | null;
  /** Maximum total JSON size of called workflows' results. */
  maxResultBytes: number;
  /** Maximum total JSON size of called workflows' inputs. */
  maxInputBytes: number;
  /** Notified of each stored timed wait. */
  clock: Pick<WaitClock, 'expect'>;
}

/** State of an execution's wait: the data it resumes with and the URL that resumes it. */
export interface WaitState {
  resumeToken: string;
  resumed: RunRequest['resumed'];
  /** Whether a form started the execution: further pages are for its submitter. */
  startedByForm: boolean;
}

const formTriggers: ReadonlySet<string> = new Set(identifiersOf('form-trigger'));

/** Stores the waits of executions, and reads them when they are over. */
export class Suspender {
  readonly #options: SuspenderOptions;

  constructor(options: SuspenderOptions) {
    this.#options = options;
  }

  /** The state for this attempt. The first attempt starts with a fresh token. */
  async stateOf(
    claimed: ClaimedExecution,
    graph: WorkflowGraph,
    { trigger }: ExecutionInput,
    signal: AbortSignal,
  ): Promise<WaitState> {
    const startedByForm = isStartedByForm(claimed, graph, trigger);
    if (claimed.attempt === 1) return { resumeToken: this.#options.tokens.issue(claimed), resumed: undefined, startedByForm };
    const ended = await untilAvailable(() => this.#options.executionWaits.findEnded(claimed), signal);
    if (!ended) throw new Error(`attempt ${claimed.attempt} of execution ${claimed.executionId} has no ended wait`);
    const event = await this.#eventOf(ended, signal);
    // A wait for a request uses up its token. Other waits keep it: it may be in a message that has
    // been sent.
    const resumeToken = ended.kind === 'call' ? this.#options.tokens.issue(claimed) : ended.resumeToken;
    return { resumeToken, resumed: { ...ended.suspended, event }, startedByForm };
  }

  /** The URLs that resume the execution; `undefined` if the public URL is unknown. */
  addressOf({ executionId }: ClaimedExecution, { resumeToken }: WaitState): { url: string; formUrl: string } | undefined {
    const { publicUrl } = this.#options;
    if (publicUrl === null) return undefined;
    const path = `${executionId}/${resumeToken}`;
    return { url: `${publicUrl}/webhook-waiting/${path}`, formUrl: `${publicUrl}/form-waiting/${path}` };
  }

  /**
   * Stores the wait, which releases the execution. `undefined` if this worker no longer owns it.
   * Throws `ConflictError` if a workflow to be called has been deleted in the meantime.
   */
  async suspend(
    { executionId, attempt }: ClaimedExecution,
    { suspension: requested, suspended }: WaitingOutcome,
    { resumeToken, startedByForm, scrubber }: Omit<WaitState, 'resumed'> & { scrubber: SecretScrubber },
    closing: AbortSignal,
  ): Promise<{ first: AttemptRef | undefined } | undefined> {
    const { executionWaits, workerId, clock, maxInputBytes } = this.#options;
    const isOwn = isNextPage(requested) && !startedByForm && !(await this.#hasSentForm({ executionId, attempt }, closing));
    const suspension = isOwn ? asFirstPage(requested) : requested;
    const [children, keptJson] =
      suspension.kind === 'workflows'
        ? [await calledWorkflows(suspension.runs, scrubber, maxInputBytes), await keptData(suspension, scrubber, maxInputBytes)]
        : [[], undefined];
    const wait = { executionId, attempt, workerId: workerId(), suspended, suspension, resumeToken, children, keptJson };
    return untilAvailable(async () => {
      const waitMs = waitMsOf(suspension); // less after an outage
      const written = await executionWaits.suspend({ ...wait, waitMs });
      if (written && waitMs !== undefined) clock.expect(waitMs);
      return written;
    }, closing);
  }

  /** Whether a form that the execution waited for was submitted. */
  async #hasSentForm({ executionId, attempt }: AttemptRef, closing: AbortSignal): Promise<boolean> {
    if (attempt === 1) return false;
    const waits = await untilAvailable(() => this.#options.executionWaits.listRequestWaits(executionId), closing);
    return waits.some(({ called, call }) => called && call.form !== undefined);
  }

  async #eventOf(ended: EndedWait, signal: AbortSignal): Promise<ResumeEvent> {
    const { calledExecutions, maxResultBytes } = this.#options;
    if (ended.kind === 'workflows')
      return {
        kind: 'workflows',
        results: await untilAvailable(() => calledExecutions.readResults(ended, maxResultBytes), signal),
        ...(ended.kept !== undefined && { kept: ended.kept }),
      };
    return ended.received ? { kind: 'call', request: ended.received } : { kind: 'time' };
  }
}

/** A retry has no submitter. */
function isStartedByForm({ retryOf }: ClaimedExecution, graph: WorkflowGraph, trigger: ExecutionInput['trigger']): boolean {
  if (retryOf !== null || !trigger || !('node' in trigger)) return false;
  const node = graph.nodes.find(({ name }) => name === trigger.node);
  return node !== undefined && formTriggers.has(node.type);
}

function isNextPage(suspension: Suspension): suspension is FormSuspension {
  return suspension.kind === 'call' && suspension.call.form?.isNextPage === true;
}

type FormSuspension = RequestSuspension & { call: { form: ResumeForm } };

/**
 * A form page without a submitter is open to everyone with its URL, as is the page of a node that
 * waits for a form.
 */
function asFirstPage({ call, ...suspension }: FormSuspension): RequestSuspension {
  return { ...suspension, call: { ...call, form: { ...call.form, isNextPage: false } } };
}

function waitMsOf(suspension: Suspension): number | undefined {
  if (suspension.kind === 'workflows' || suspension.at === undefined) return undefined;
  return Math.max(0, suspension.at - Date.now());
}

/**
 * Workflow runs in stored form: without the secrets that the caller has used, like its own node
 * runs. Throws `RUN_DATA_TOO_LARGE`.
 */
export async function calledWorkflows(
  runs: readonly WorkflowRun[],
  scrubber: SecretScrubber,
  maxBytes: number,
): Promise<NewChild[]> {
  const children: NewChild[] = [];
  const slice = new TimeSlice();
  let bytes = 0;
  for (const { workflow, items, start } of runs) {
    if (slice.isOver) await slice.next();
    const input = calledInput([...items], start);
    const inputJson = await scrubber.scrubJson(await stringifyJson(input));
    bytes += inputJson.length;
    // Each run may repeat a long mapped value: together they could exhaust the memory.
    if (bytes > maxBytes) throw inputsTooLarge(maxBytes);
    children.push({ workflow, inputJson, fileIds: fileIdsOf(items) });
  }
  return children;
}

/** Data that the node keeps, in stored form like its workflow runs. Throws `RUN_DATA_TOO_LARGE`. */
async function keptData({ kept }: WorkflowSuspension, scrubber: SecretScrubber, maxBytes: number): Promise<string | undefined> {
  if (kept === undefined) return undefined;
  const keptJson = await scrubber.scrubJson(await stringifyJson(kept));
  if (keptJson.length > maxBytes) throw inputsTooLarge(maxBytes);
  return keptJson;
}

function calledInput(items: Item[], start: WorkflowRun['start']): ExecutionInput {
  if (!start) return { trigger: { type: 'execute-workflow-trigger', items } };
  const { node, destinationNode } = start;
  return { trigger: { node, output: 0, items }, ...(destinationNode !== undefined && { destinationNode }) };
}

function inputsTooLarge(maxBytes: number): AppError {
  const message = `the inputs of the called workflows exceed the limit of ${maxBytes} bytes`;
  return new AppError({ code: 'RUN_DATA_TOO_LARGE', message });
}
