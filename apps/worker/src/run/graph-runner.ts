import type { ExecutionRecorder, StorageQuotaRepository } from '@sluice/db';
import { type JsonObject, parseJson, type ResponseChunk, stringifyJson } from '@sluice/domain';
import { type EnginePorts, type RunOutcome, runWorkflow } from '@sluice/engine';
import { ExecutionLostError } from '../claims/late-claim.ts';
import type { ProgressReporter } from '../client-messages/progress-reporter.ts';
import type { RunDataLimits } from '../run-data/node-run-json.ts';
import { NodeRunRecorder } from '../run-data/node-run-recorder.ts';
import type { WritePace } from '../run-data/write-pace.ts';
import type { RunContext, RunPlan, RunPreparation } from './run-preparation.ts';
import { type GraphResult, resultOf } from './run-result.ts';
import type { WorkflowState } from './workflow-state.ts';

interface GraphRunnerOptions {
  engine: EnginePorts;
  recorder: Pick<ExecutionRecorder, 'append'>;
  preparation: Pick<RunPreparation, 'requestOf' | 'streamOf'>;
  workflowState: Pick<WorkflowState, 'saveStaticData'>;
  progress: ProgressReporter;
  pace: Pick<WritePace, 'deferMs'>;
  limits: RunDataLimits;
  storageQuotas: Pick<StorageQuotaRepository, 'assertCapacity'>;
}

/** Runs the graph of a claimed execution, and stores what it records. */
export class GraphRunner {
  readonly #options: GraphRunnerOptions;

  constructor(options: GraphRunnerOptions) {
    this.#options = options;
  }

  /**
   * When this settles, either way, everything that the run recorded is stored, except what the end
   * can store with it. Rejects with errors outside the nodes.
   */
  async run(run: RunContext, plan: RunPlan): Promise<GraphResult> {
    const { preparation, progress } = this.#options;
    const { scrubber } = run.credentials;
    const report = progress.open(run.claimed.executionId);
    report.changed();
    const log = this.#openLog(run, plan, report);
    try {
      const request = await preparation.requestOf(run, plan);
      const stream = preparation.streamOf(run, plan);
      const streamed = stream && { stream: (chunk: ResponseChunk) => stream.send(chunk) };
      const outcome = await runWorkflow(this.#options.engine, { ...request, ...streamed, recorder: log });
      await stream?.settle();
      const runs = isOver(outcome) ? await log.rest() : await this.#storeAll(run, log, outcome);
      // The client of a stream has received its first parts.
      const result = resultOf(outcome, scrubber, { isRepeatable: log.isRepeatable && !stream });
      return result.kind === 'finished' ? { ...result, runs, lastRun: log.last } : result;
    } catch (error) {
      await log.flush();
      throw error;
    } finally {
      report.close();
    }
  }

  /** Before a wait, and before static data, everything else is stored. */
  async #storeAll(run: RunContext, log: NodeRunRecorder, outcome: RunOutcome): Promise<[]> {
    await run.claim.ensure();
    await log.flush();
    await this.#saveStaticData(run, outcome);
    return [];
  }

  #openLog(
    { claimed, claim, signal, credentials, memory }: RunContext,
    { done }: RunPlan,
    report: ReturnType<ProgressReporter['open']>,
  ): NodeRunRecorder {
    const { recorder, pace, limits, storageQuotas } = this.#options;
    return new NodeRunRecorder(recorder, {
      ref: claimed,
      claim,
      limits,
      stored: { count: done.records.length, bytes: done.bytes },
      signal,
      scrubber: credentials.scrubber,
      report,
      pace,
      memory,
      assertCapacity: () => storageQuotas.assertCapacity(claimed.projectId),
    });
  }

  /** Manual runs only test a workflow, so they store no static data. */
  async #saveStaticData({ claimed, credentials, signal }: RunContext, outcome: RunOutcome): Promise<void> {
    if (outcome.status !== 'success' || !outcome.staticData || claimed.mode === 'manual') return;
    const json = await credentials.scrubber.scrubJson(await stringifyJson(outcome.staticData), signal);
    const changed = (await parseJson(json, signal)) as JsonObject;
    if (!(await this.#options.workflowState.saveStaticData(claimed, changed, signal))) throw new ExecutionLostError(claimed);
  }
}

/** Whether only the end remains to be written. */
function isOver(outcome: RunOutcome): boolean {
  return outcome.status === 'error' || (outcome.status === 'success' && !outcome.staticData);
}
