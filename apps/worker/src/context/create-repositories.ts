import type { Config } from '@sluice/config';
import {
  BinaryRepository,
  CallableWorkflows,
  CalledExecutions,
  CredentialUseRepository,
  createQueueGauge,
  DiscardedExecutions,
  ErrorStarts,
  ExecutionMoves,
  ExecutionRetention,
  ExecutionWaits,
  ExpiredRows,
  GraphRepository,
  RegistrationRepository,
  RunDataRepository,
  ScheduleTicks,
  SeenHistoryRepository,
  StaticDataRepository,
  StorageQuota,
  VariableRepository,
  VaultKeyRepository,
  WebhookAnswers,
  WorkerRepository,
} from '@sluice/db';
import type { Connections } from './create-connections.ts';

/**
 * One instance each, except repositories that need a lease. All parts that start executions share
 * the gauge, which adds up this process's starts.
 */
export function createRepositories({ http, limits, retention }: Config, { db, leaseDb }: Pick<Connections, 'db' | 'leaseDb'>) {
  const { kysely } = db;
  const { publicUrl } = http;
  const addressOf = (id: string) => (publicUrl === null ? null : `${publicUrl}/api/v1/executions/${id}`);
  return {
    binaries: new BinaryRepository(kysely),
    callableWorkflows: new CallableWorkflows(kysely),
    calledExecutions: new CalledExecutions(db),
    credentialUses: new CredentialUseRepository(kysely),
    discardedExecutions: new DiscardedExecutions(kysely),
    errorStarts: new ErrorStarts(kysely, addressOf),
    executionMoves: new ExecutionMoves(kysely),
    executionRetention: new ExecutionRetention(kysely, retention),
    executionWaits: new ExecutionWaits(db),
    expiredRows: new ExpiredRows(kysely),
    graphs: new GraphRepository(kysely),
    queueGauge: createQueueGauge(db, limits.queuedMaxPerProject),
    registrations: new RegistrationRepository(kysely),
    runData: new RunDataRepository(kysely),
    scheduleTicks: new ScheduleTicks(db),
    seenHistory: new SeenHistoryRepository(kysely),
    storageQuota: new StorageQuota(kysely, { maxBytes: limits.storageMaxBytesPerProject }),
    staticData: new StaticDataRepository(kysely),
    variables: new VariableRepository(kysely),
    vaultKeys: new VaultKeyRepository(kysely),
    webhookAnswers: new WebhookAnswers(db),
    workers: new WorkerRepository(leaseDb),
  };
}

export type Repositories = ReturnType<typeof createRepositories>;
