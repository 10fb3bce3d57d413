import type { Config } from '@sluice/config';
import {
  AiUsageRepository,
  BinaryRepository,
  CallableWorkflowRepository,
  CalledExecutionRepository,
  ChatSessionRepository,
  CredentialUseRepository,
  createQueueGauge,
  DataTableConnections,
  DataTableRepository,
  DataTableRowRepository,
  DiscardedExecutionRepository,
  ErrorStartRepository,
  EventOutboxRepository,
  ExecutionMoveRepository,
  ExecutionRetentionRepository,
  ExecutionWaitRepository,
  ExpiredRowRepository,
  GraphRepository,
  RegistrationRepository,
  RunDataRepository,
  ScheduleTickRepository,
  SeenHistoryRepository,
  StaticDataRepository,
  StatisticsRollUpRepository,
  StorageQuotaRepository,
  VariableRepository,
  VaultKeyRepository,
  WebhookResponseRepository,
  WorkerRepository,
  WorkflowQuotaRepository,
} from '@sluice/db';
import type { Connections } from './create-connections.ts';

/**
 * One instance each, except repositories that need a lease. All parts that start executions share
 * the gauge, which counts this process's starts.
 */
export function createRepositories(
  { chatSessions, http, limits, retention }: Config,
  { db, leaseDb }: Pick<Connections, 'db' | 'leaseDb'>,
) {
  const { kysely } = db;
  const { publicUrl } = http;
  const addressOf = (id: string) => (publicUrl === null ? null : `${publicUrl}/api/v1/executions/${id}`);
  const dataTableConnections = new DataTableConnections(limits.dataTables.connections);
  const workflowQuota = new WorkflowQuotaRepository(kysely, { maxBytes: limits.workflowsMaxBytesPerProject });
  return {
    aiUsages: new AiUsageRepository(kysely),
    binaries: new BinaryRepository(kysely),
    callableWorkflows: new CallableWorkflowRepository(kysely),
    calledExecutions: new CalledExecutionRepository(db),
    chatSessions: new ChatSessionRepository(kysely, chatSessions),
    credentialUses: new CredentialUseRepository(kysely),
    dataTables: new DataTableRepository(kysely, limits.dataTables, dataTableConnections),
    dataTableRows: new DataTableRowRepository(kysely, limits.dataTables, dataTableConnections),
    discardedExecutions: new DiscardedExecutionRepository(kysely),
    errorStarts: new ErrorStartRepository(kysely, addressOf),
    eventOutbox: new EventOutboxRepository(db),
    executionMoves: new ExecutionMoveRepository(kysely),
    executionRetention: new ExecutionRetentionRepository(kysely, retention),
    executionWaits: new ExecutionWaitRepository(db),
    expiredRows: new ExpiredRowRepository(kysely),
    graphs: new GraphRepository(kysely, workflowQuota),
    queueGauge: createQueueGauge(db, limits.queuedMaxPerProject),
    registrations: new RegistrationRepository(kysely),
    runData: new RunDataRepository(db),
    scheduleTicks: new ScheduleTickRepository(db),
    seenHistory: new SeenHistoryRepository(kysely),
    statisticsRollUps: new StatisticsRollUpRepository(kysely),
    storageQuotas: new StorageQuotaRepository(kysely, { maxBytes: limits.storageMaxBytesPerProject }),
    staticData: new StaticDataRepository(kysely),
    variables: new VariableRepository(kysely),
    vaultKeys: new VaultKeyRepository(kysely),
    webhookResponses: new WebhookResponseRepository(db),
    workflowQuota,
    workers: new WorkerRepository(leaseDb),
  };
}

export type Repositories = ReturnType<typeof createRepositories>;
