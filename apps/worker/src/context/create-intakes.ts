import type { Config } from '@sluice/config';
import { ExecutionRecorder, QueuedExecutionRepository } from '@sluice/db';
import { memoryInUse } from '@sluice/domain';
import { runExecution } from '@sluice/queue';
import { ResumeTokens } from '@sluice/vault';
import { ExecutionFiles } from '../binary/execution-files.ts';
import { ComputingGraphs } from '../claims/computing-graphs.ts';
import { ExecutionClaims } from '../claims/execution-claims.ts';
import { JobHandover } from '../claims/job-handover.ts';
import { ChunkSender } from '../client-messages/chunk-sender.ts';
import { ResponsePublisher } from '../client-messages/response-publisher.ts';
import { type Concurrency, createConcurrency } from '../intake/adaptive-concurrency.ts';
import { Backlog } from '../intake/backlog.ts';
import { ExecutionIntake, type ExecutionIntakeOptions } from '../intake/execution-intake.ts';
import { ExecutionRunner } from '../run/execution-runner.ts';
import { GraphRunner } from '../run/graph-runner.ts';
import { ResultWriter } from '../run/result-writer.ts';
import { RunPreparation, type RunPreparationOptions } from '../run/run-preparation.ts';
import { Suspender } from '../run/suspender.ts';
import { WorkflowCalls, type WorkflowCallsOptions } from '../run/workflow-calls.ts';
import { WorkflowState } from '../run/workflow-state.ts';
import { WritePace } from '../run-data/write-pace.ts';
import type { RunningParts } from './create-services.ts';

/** Jobs of a queue that a worker handles at once, until their executions are claimed. */
const maxDeliveries = 8;

/** The parts that take executions and run them. */
export function createIntakes(config: Config, parts: RunningParts) {
  const { blocking, closing, db, engine, logger, memoryBudget, nodeTypes, packages, queue: executionQueue } = parts;
  const runner = createRunner(config, parts);
  const concurrency: Concurrency = createConcurrency(config.worker.concurrency, {
    running: () => Math.max(...intakes.map((intake) => intake.running)),
    isFull: () => intakes.some((intake) => intake.isFull),
    waiting: () => db.waiting,
    waitingCalls: () => engine.sandbox.waiting,
    memory: () => (memoryBudget.isExceeded ? 1 : memoryInUse()),
    changed: () => {
      for (const intake of intakes) intake.refresh();
    },
  });
  const backlog = new Backlog({ queued: new QueuedExecutionRepository(db, nodeTypes) });
  const common = {
    redis: blocking,
    prefixes: config.redis.shards,
    deliveries: Math.min(Math.ceil(concurrency.limit / 2), maxDeliveries),
    limit: () => concurrency.limit,
    backlog,
    executionQueue,
    closing,
    logger,
  };
  const intakeOf = (queue: string, options: Pick<ExecutionIntakeOptions, 'waitingProjects'> = {}) =>
    new ExecutionIntake((ref, runOptions) => runner.run(ref, runOptions), { ...common, ...options, queue });
  const isAdaptive = config.worker.concurrency === 'auto';
  const intakes = [
    intakeOf(runExecution.queue, isAdaptive ? { waitingProjects: () => memoryBudget.waitingProjects } : {}),
    ...packages.map((name) => intakeOf(runExecution.queueOf(name))),
  ];
  return {
    /** One for the main queue, and one for each node package's queue. */
    intakes,
    concurrency,
    /** Shards of the main queue that were empty within the last `ms` milliseconds. */
    recentlyEmptyShards: (ms: number) =>
      config.redis.shards.flatMap((prefix, shard) => (backlog.wasEmpty(`${prefix}:${runExecution.queue}`, ms) ? [shard] : [])),
  };
}

function createRunner({ http, limits }: Config, parts: RunningParts): ExecutionRunner {
  const { db, engine, executionLimits, inFlightExecutions, keys, nodeTypes, waitClock, workerId } = parts;
  const pace = new WritePace(inFlightExecutions);
  const suspender = new Suspender({
    ...parts,
    tokens: new ResumeTokens(keys),
    publicUrl: http.publicUrl,
    maxResultBytes: limits.executionMaxBytes,
    maxInputBytes: limits.executionMaxBytes,
    clock: waitClock,
  });
  const shared = {
    ...parts,
    limits,
    pace,
    recorder: new ExecutionRecorder(db, workerId, { nodeTypes, pauseMs: () => pace.pauseMs }),
    computingGraphs: new ComputingGraphs(engine.nodeTypes),
    workflowState: new WorkflowState(parts),
    suspender,
  };
  const preparation = createPreparation(limits, shared);
  const handover = new JobHandover(shared);
  return new ExecutionRunner({
    ...parts,
    claims: new ExecutionClaims({ ...shared, limits: executionLimits, handover }),
    preparation,
    graphs: new GraphRunner({ ...shared, preparation }),
    results: new ResultWriter({ ...shared, handover }),
  });
}

function createPreparation(
  limits: Config['limits'],
  parts: RunningParts & Pick<RunPreparationOptions, 'computingGraphs' | 'suspender' | 'workflowState'>,
): RunPreparation {
  const { binaries, caps, chunks, logger, storageQuotas, store } = parts;
  const { nodeRunMaxBytes: maxBytes } = limits;
  const calls: WorkflowCallsOptions = {
    ...parts,
    maxNodes: limits.workflowMaxNodes,
    maxInputBytes: limits.executionMaxBytes,
  };
  return new RunPreparation({
    ...parts,
    maxNodeRuns: limits.nodeRunsMax,
    aiLimits: limits.ai,
    responsePublisher: new ResponsePublisher({ ...parts, maxBytes }),
    filesOf: ({ claimed: { executionId, projectId }, claim, signal, memory }) => {
      const assertCapacity = () => storageQuotas.assertCapacity(projectId);
      return new ExecutionFiles({ binaries, store, caps, assertCapacity, claim, memory }, executionId, signal);
    },
    streamOf: ({ executionId, attempt }, scrubber) =>
      new ChunkSender({
        attempt,
        publish: (messages) => chunks.publish(executionId, messages),
        scrubber,
        maxBytes,
        logger,
      }),
    workflowsOf: (run) => new WorkflowCalls(calls, run),
  });
}
