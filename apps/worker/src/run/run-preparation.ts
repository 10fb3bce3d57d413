import type { CredentialSession } from '@sluice/credentials';
import type {
  AiUsageRepository,
  AttemptRef,
  ClaimedExecution,
  ExecutionInput,
  GraphCache,
  RunDataRepository,
} from '@sluice/db';
import {
  dataSize,
  type MemoryReservation,
  type NodeRunRecord,
  type ResumeEvent,
  timezoneOf,
  untilAvailable,
  type WorkflowGraph,
} from '@sluice/domain';
import type { AiLimits, RunRequest } from '@sluice/engine';
import type { NodeLogger, WorkflowAccess } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import type { ExecutionFiles } from '../binary/execution-files.ts';
import { storeInlineFiles } from '../binary/inline-files.ts';
import type { ComputingGraphs } from '../claims/computing-graphs.ts';
import type { LateClaim } from '../claims/late-claim.ts';
import type { ChunkSender } from '../client-messages/chunk-sender.ts';
import type { ResponsePublisher } from '../client-messages/response-publisher.ts';
import type { Suspender, WaitState } from './suspender.ts';
import type { VariableCache } from './variable-cache.ts';
import type { CallingRun } from './workflow-calls.ts';
import type { WorkflowState } from './workflow-state.ts';

export interface RunPreparationOptions {
  graphCache: GraphCache;
  computingGraphs: Pick<ComputingGraphs, 'note'>;
  runData: RunDataRepository;
  workflowState: WorkflowState;
  suspender: Suspender;
  responsePublisher: ResponsePublisher;
  /** The files that an execution may read; stores its own files until `signal` fires. */
  filesOf(run: Pick<RunContext, 'claimed' | 'claim' | 'signal' | 'memory'>): ExecutionFiles;
  /** Sends parts of a response while an execution runs. */
  streamOf(ref: AttemptRef, scrubber: SecretScrubber): ChunkSender;
  /** Access of an execution's nodes to other workflows. */
  workflowsOf(run: CallingRun): WorkflowAccess;
  maxNodeRuns: number;
  aiLimits: AiLimits;
  aiUsages: AiUsageRepository;
  variables: VariableCache;
  /** Environment variables of the worker that expressions may read. */
  env: Readonly<Record<string, string>>;
  /** Time zone of workflows without their own. */
  timezone: string;
}

/**
 * Estimated ratio of total output size to input size. It prevents most starts of executions that
 * could not continue.
 */
const usualGrowth = 5;

/** A claimed execution and what its run needs. */
export interface RunContext {
  readonly claimed: ClaimedExecution;
  readonly claim: LateClaim;
  readonly signal: AbortSignal;
  readonly logger: NodeLogger;
  readonly credentials: CredentialSession;
  /** The memory reserved for its data. */
  readonly memory: MemoryReservation;
}

/** All data that walking the graph requires. */
export interface RunPlan {
  readonly graph: WorkflowGraph;
  readonly vars: Readonly<Record<string, string>>;
  readonly input: ExecutionInput;
  /** Existing node runs, and their bytes of JSON. */
  readonly done: { readonly records: NodeRunRecord[]; readonly bytes: number };
  readonly wait: WaitState;
}

/** Builds the engine's request: the stored execution, and the ports of its nodes. */
export class RunPreparation {
  readonly #options: RunPreparationOptions;

  constructor(options: RunPreparationOptions) {
    this.#options = options;
  }

  /**
   * Waits while Postgres is unreachable or there is no memory for the data, until the run's signal
   * fires.
   */
  async load({ claimed, signal, memory }: RunContext): Promise<RunPlan> {
    const { graphCache, computingGraphs, variables, runData, suspender } = this.#options;
    const graph = await untilAvailable(() => graphCache.get(claimed.workflowId, claimed.graphHash), signal);
    computingGraphs.note(claimed.workflowId, claimed.graphHash, graph);
    const vars = await untilAvailable(() => variables.get(), signal);
    await memory.reserve(dataSize(claimed.input.bytes * usualGrowth));
    const input = claimed.input.data ?? (await untilAvailable(() => runData.findInput(claimed.executionId), signal));
    const { bytes } = claimed.input;
    memory.retain(dataSize(bytes));
    const reserve = (needed: number) => memory.reserve(dataSize(needed));
    const done = claimed.hasRun
      ? await untilAvailable(() => runData.readNodeRuns(claimed.executionId, reserve), signal)
      : { records: [], bytes: 0, largest: 0 };
    memory.retain(dataSize(done.bytes), dataSize(done.largest));
    memory.reserveOnly(dataSize(bytes * (usualGrowth - 1)));
    const wait = await suspender.stateOf(claimed, graph, input, signal);
    return { graph, vars, input, done, wait };
  }

  /** The engine's request; from here on, the execution references the files that came with it. */
  async requestOf(run: RunContext, { graph, vars, input, done, wait }: RunPlan): Promise<Omit<RunRequest, 'recorder'>> {
    const { claimed, signal, logger, credentials } = run;
    const { env, maxNodeRuns, aiLimits, aiUsages, workflowState, suspender } = this.#options;
    const timezone = timezoneOf(graph.settings, this.#options.timezone);
    const resume = suspender.addressOf(claimed, wait);
    const binary = this.#options.filesOf(run);
    const start = await receivedInput(input, binary);
    const resumed = await receivedWait(wait.resumed, done.records, binary);
    return {
      executionId: claimed.executionId,
      workflow: { id: claimed.workflowId, projectId: claimed.projectId, name: graph.name, active: claimed.workflowActive },
      ...(await storeInlineFiles({ graph, mode: claimed.mode, start }, binary, done.records)),
      done: done.records,
      ...(resumed && { resumed }),
      ...(resume && { resume }),
      timezone,
      ...workflowState.of(claimed, signal),
      maxNodeRuns,
      aiLimits,
      countAi: (added, before) => {
        const write = {};
        return untilAvailable(() => aiUsages.add(claimed.executionId, added, before, write), signal);
      },
      vars,
      env,
      credentials,
      binary,
      workflows: this.#options.workflowsOf({
        claimed,
        scrubber: credentials.scrubber,
        signal,
        name: graph.name,
        destinationNode: input.destinationNode,
      }),
      ...this.#respondOf(claimed, input, wait, credentials.scrubber),
      signal,
      logger,
    };
  }

  /** `undefined`: no client reads the response in parts. */
  streamOf({ claimed, credentials }: RunContext, { input }: RunPlan): ChunkSender | undefined {
    const { trigger } = input;
    if (!trigger || !('streams' in trigger) || !isCalled(claimed, input)) return undefined;
    return this.#options.streamOf(claimed, credentials.scrubber);
  }

  /** An execution that has waited may have a new request, from a form submission. */
  #respondOf(
    claimed: ClaimedExecution,
    input: ExecutionInput,
    { startedByForm }: WaitState,
    scrubber: SecretScrubber,
  ): Pick<RunRequest, 'respond'> {
    if (!isCalled(claimed, input) && claimed.attempt === 1) return {};
    const { executionId, attempt } = claimed;
    const ref = { executionId, attempt, startedByForm };
    return { respond: (response, signal) => this.#options.responsePublisher.publish(ref, response, scrubber, signal) };
  }
}

type Adoption = Pick<ExecutionFiles, 'adopt'>;

/** The input, with the files of a call. A retry has them from its original. */
async function receivedInput(input: ExecutionInput, files: Adoption): Promise<ExecutionInput> {
  const { trigger } = input;
  if (!trigger || 'node' in trigger) return input;
  const [items = []] = await files.adopt([trigger.items], 'parent');
  return { ...input, trigger: { ...trigger, items } };
}

/**
 * The wait that the run continues; `undefined` if its node has ended, in a run that was
 * interrupted.
 */
async function receivedWait(
  resumed: WaitState['resumed'],
  done: readonly NodeRunRecord[],
  files: Adoption,
): Promise<WaitState['resumed']> {
  const isDone = done.some(({ nodeName, runIndex }) => nodeName === resumed?.nodeName && runIndex === resumed.runIndex);
  return resumed && !isDone ? { ...resumed, event: await receivedEvent(resumed.event, files) } : undefined;
}

/** The event, with the files of called workflows. */
async function receivedEvent(event: ResumeEvent, files: Adoption): Promise<ResumeEvent> {
  if (event.kind !== 'workflows') return event;
  const lists = event.results.map((result) => (result.status === 'success' ? result.items : []));
  const adopted = await files.adopt(lists, 'children');
  const results = event.results.map((result, i) =>
    result.status === 'success' ? { ...result, items: adopted[i] ?? [] } : result,
  );
  return { ...event, results };
}

/**
 * Whether a request waits for the execution that it started, at a production or test URL; never for
 * a retry.
 */
function isCalled({ mode, retryOf }: ClaimedExecution, { trigger }: ExecutionInput): boolean {
  return retryOf === null && (mode === 'webhook' || (mode === 'manual' && trigger !== undefined));
}
