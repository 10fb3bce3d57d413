import type { Config } from '@sluice/config';
import { ExecutionRecorder, QueuedExecutionRepository } from '@sluice/db';
import { type MemoryBudget, memoryInUse } from '@sluice/domain';
import type { Logger } from '@sluice/logger';
import { runExecution } from '@sluice/queue';
import { type KeyRing, ResumeTokens } from '@sluice/vault';
import { ExecutionFiles } from '../binary/execution-files.ts';
import { ComputingGraphs } from '../claims/computing-graphs.ts';
import { ExecutionClaims } from '../claims/execution-claims.ts';
import { JobHandover } from '../claims/job-handover.ts';
import { ChunkSender } from '../client-messages/chunk-sender.ts';
import { ResponsePublisher } from '../client-messages/response-publisher.ts';
import { type Concurrency, createConcurrency } from '../intake/adaptive-concurrency.ts';
import { Backlog } from '../intake/backlog.ts';
import { ExecutionIntake } from '../intake/execution-intake.ts';
import { ExecutionRunner, type ExecutionRunnerOptions } from '../run/execution-runner.ts';
import { GraphRunner } from '../run/graph-runner.ts';
import { ResultWriter } from '../run/result-writer.ts';
import { RunPreparation } from '../run/run-preparation.ts';
import { Suspender } from '../run/suspender.ts';
import { WorkflowCalls, type WorkflowCallsOptions } from '../run/workflow-calls.ts';
import { WorkflowState } from '../run/workflow-state.ts';
import { WritePace } from '../run-data/write-pace.ts';
import type { Connections } from './create-connections.ts';
import type { Membership } from './create-membership.ts';
import type { Messaging } from './create-messaging.ts';
import type { NodeKit } from './create-node-kit.ts';
import type { Repositories } from './create-repositories.ts';
import type { Resumption } from './create-resumption.ts';

/** Jobs of a queue that a worker handles at once, until their executions are claimed. */
const maxDeliveries = 8;

interface IntakeParts {
  connections: Pick<Connections, 'db' | 'blocking'>;
  repositories: Repositories;
  messaging: Messaging;
  membership: Membership;
  kit: NodeKit;
  resumption: Resumption;
  keys: KeyRing;
  memoryBudget: MemoryBudget;
  metrics: ExecutionRunnerOptions['metrics'];
  closing: AbortSignal;
  logger: Logger;
}

/** The parts that take executions and run them. */
export function createIntakes(config: Config, parts: IntakeParts) {
  const { connections, messaging, membership, memoryBudget, closing, logger } = parts;
  const runner = createRunner(config, parts);
  const concurrency: Concurrency = createConcurrency(config.worker.concurrency, {
    running: () => Math.max(...intakes.map((intake) => intake.running)),
    isFull: () => intakes.some((intake) => intake.isFull),
    waiting: () => connections.db.waiting,
    memory: () => (memoryBudget.isExceeded ? 1 : memoryInUse()),
    changed: () => {
      for (const intake of intakes) intake.refresh();
    },
  });
  const common = {
    redis: connections.blocking,
    prefixes: config.redis.shards,
    deliveries: Math.min(Math.ceil(concurrency.limit / 2), maxDeliveries),
    limit: () => concurrency.limit,
    backlog: new Backlog({ queued: new QueuedExecutionRepository(connections.db, membership.nodeTypes) }),
    executionQueue: messaging.queue,
    closing,
    logger,
  };
  const intakes = [runExecution.queue, ...membership.packages.map(runExecution.queueOf)].map(
    (queue) => new ExecutionIntake((ref, options) => runner.run(ref, options), { ...common, queue }),
  );
  return {
    /** One for the main queue, and one for each node package's queue. */
    intakes,
    concurrency,
  };
}

export type Intakes = ReturnType<typeof createIntakes>;

function createRunner(config: Config, parts: IntakeParts): ExecutionRunner {
  const { connections, messaging, membership, kit, resumption, memoryBudget, metrics, logger } = parts;
  const { queue, ended, progress } = messaging;
  const { heldExecutions, lease, nodeTypes, packages } = membership;
  const pace = new WritePace(heldExecutions);
  const recorder = new ExecutionRecorder(connections.db, () => lease.workerId, { nodeTypes, pauseMs: () => pace.pauseMs });
  const computingGraphs = new ComputingGraphs(kit.engine.nodeTypes);
  const suspender = createSuspender(config, parts);
  const workflowState = createWorkflowState(parts);
  const preparation = createPreparation(config, parts, { suspender, workflowState, computingGraphs });
  const { engine, credentials } = kit;
  const { followUps } = resumption;
  const { limits } = config;
  const { storageQuotas } = parts.repositories;
  const handover = new JobHandover({ recorder, queue, packages, logger });
  return new ExecutionRunner({
    claims: new ExecutionClaims({
      recorder,
      computingGraphs,
      heldExecutions,
      limits: resumption.executionLimits,
      handover,
      progress,
    }),
    credentials,
    preparation,
    graphs: new GraphRunner({ engine, recorder, preparation, workflowState, progress, pace, limits, storageQuotas }),
    results: new ResultWriter({ recorder, suspender, heldExecutions, followUps, ended, logger }),
    followUps,
    memoryBudget,
    metrics,
    logger,
  });
}

function createSuspender({ http, limits }: Config, { repositories, membership, resumption, keys }: IntakeParts): Suspender {
  return new Suspender({
    executionWaits: repositories.executionWaits,
    calledExecutions: repositories.calledExecutions,
    tokens: new ResumeTokens(keys),
    workerId: () => membership.lease.workerId,
    publicUrl: http.publicUrl,
    maxResultBytes: limits.executionMaxBytes,
    maxInputBytes: limits.executionMaxBytes,
    clock: resumption.waitClock,
  });
}

function createWorkflowState({ repositories, membership }: IntakeParts): WorkflowState {
  const { staticData, seenHistory, chatSessions, dataTables, dataTableRows } = repositories;
  const workerId = () => membership.lease.workerId;
  return new WorkflowState({ staticData, seenHistory, chatSessions, dataTables, dataTableRows, workerId });
}

function createPreparation(
  { limits }: Config,
  { repositories, messaging, kit, resumption, logger }: IntakeParts,
  collaborators: { suspender: Suspender; workflowState: WorkflowState; computingGraphs: ComputingGraphs },
): RunPreparation {
  const { binaries, executionWaits, storageQuotas, webhookResponses } = repositories;
  const { responded, chunks } = messaging;
  const { graphCache, variables, env, timezone, store, caps } = kit;
  const { nodeRunMaxBytes: maxBytes, nodeRunsMax: maxNodeRuns, ai: aiLimits } = limits;
  const calls: WorkflowCallsOptions = {
    callableWorkflows: repositories.callableWorkflows,
    calledExecutions: repositories.calledExecutions,
    graphCache,
    graphs: repositories.graphs,
    queueGauge: repositories.queueGauge,
    followUps: resumption.followUps,
    maxNodes: limits.workflowMaxNodes,
    maxInputBytes: limits.executionMaxBytes,
  };
  return new RunPreparation({
    ...collaborators,
    graphCache,
    variables,
    env,
    timezone,
    maxNodeRuns,
    aiLimits,
    aiUsages: repositories.aiUsages,
    runData: repositories.runData,
    responsePublisher: new ResponsePublisher({ webhookResponses, executionWaits, responded, maxBytes, logger }),
    filesOf: ({ claimed: { executionId, projectId }, claim, signal, memory }) => {
      const assertRoom = () => storageQuotas.assertRoom(projectId);
      return new ExecutionFiles({ binaries, store, caps, assertRoom, claim, memory }, executionId, signal);
    },
    streamOf: ({ executionId, attempt }, scrubber) =>
      new ChunkSender({
        attempt,
        publish: (parts) => chunks.publish(executionId, parts),
        scrubber,
        maxBytes,
        logger,
      }),
    workflowsOf: (...of) => new WorkflowCalls(calls, ...of),
  });
}
