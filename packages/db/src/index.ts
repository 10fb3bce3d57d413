export { Access } from './access.ts';
export { type AuditActor, type AuditEntry, type AuditRecord, processStart } from './audit/audit-entry.ts';
export { AuditLog } from './audit/audit-log.ts';
export { type AuditFilter, AuditRepository, insertAuditEntries } from './audit/audit-repository.ts';
export { type AuditedAct, AuditTrail, noteForAudit } from './audit/audit-trail.ts';
export { ensureBootstrap } from './bootstrap.ts';
export { createDatabase, type Database, onBehalfOf } from './connection/database.ts';
export { databaseEndpoints } from './connection/database-address.ts';
export { ReplicaReader } from './connection/replica-reader.ts';
export { isStatementTimeout } from './connection/sql-errors.ts';
export { type CredentialConsent, CredentialConsentRepository } from './credentials/credential-consent-repository.ts';
export { CredentialImportRepository } from './credentials/credential-import-repository.ts';
export { CredentialRepository } from './credentials/credential-repository.ts';
export type { Credential, CredentialFilter, CredentialHead } from './credentials/credential-rows.ts';
export { CredentialUseRepository, type UsedCredential } from './credentials/credential-use-repository.ts';
export type { WorkflowWithCredential } from './credentials/find-workflows-with-credential.ts';
export type { SealedData } from './credentials/sealed-data.ts';
export { VaultKeyRepository } from './credentials/vault-key-repository.ts';
export type { DataTable, DataTableLimits } from './data-tables/data-table.ts';
export { DataTableConnections } from './data-tables/data-table-connections.ts';
export type { RowPosition, RowSort } from './data-tables/data-table-order.ts';
export { DataTableRepository } from './data-tables/data-table-repository.ts';
export {
  type DataRowChange,
  DataTableRowRepository,
  type PreviewBatch,
  type RowBatch,
  type RowStep,
} from './data-tables/data-table-row-repository.ts';
export { rowBatches } from './data-tables/row-batches.ts';
export type { DataRow } from './data-tables/stored-rows.ts';
export { type EventDelivery, EventDeliveryRepository } from './events/event-delivery-repository.ts';
export { type DeliveryOutcome, type DueDelivery, EventOutboxRepository } from './events/event-outbox-repository.ts';
export { type EventSubscription, EventSubscriptionRepository } from './events/event-subscription-repository.ts';
export { AiUsageRepository } from './executions/attempts/ai-usage-repository.ts';
export type { NewNodeRun } from './executions/attempts/append-node-runs.ts';
export type { Claim, ClaimedExecution, ComputingRef } from './executions/attempts/claim-executions.ts';
export { ExecutionRecorder } from './executions/attempts/execution-recorder.ts';
export type { Ending, FinalStatus } from './executions/attempts/finish-executions.ts';
export { ExecutionRepository } from './executions/execution-repository.ts';
export { foreignTypesOf } from './executions/graphs/foreign-types.ts';
export { GraphCache } from './executions/graphs/graph-cache.ts';
export { encodeGraph, GraphRepository, type WorkflowQuota } from './executions/graphs/graph-repository.ts';
export { createQueueGauge, QueueGauge } from './executions/queue/queue-gauge.ts';
export { type QueueState, readQueueState } from './executions/queue/queue-state.ts';
export { QueuedExecutionRepository, type QueuedWorkflow, type Turns } from './executions/queue/queued-execution-repository.ts';
export type { AttemptRef } from './executions/row/attempt-ref.ts';
export { type Execution, type ExecutionInput, timeoutError } from './executions/row/execution.ts';
export { ErrorStartRepository } from './executions/start/error-start-repository.ts';
export { ExecutionStarter } from './executions/start/execution-starter.ts';
export type { IdempotencyKey, StartedOnce } from './executions/start/idempotency-key.ts';
export type { NewExecution } from './executions/start/insert-executions.ts';
export type { NewRetry } from './executions/start/insert-retry.ts';
export {
  type BinaryLeftover,
  BinaryRepository,
  leastCountedBytes,
  type StoredBinary,
} from './executions/storage/binary-repository.ts';
export { StorageQuotaError, StorageQuotaRepository } from './executions/storage/storage-quota-repository.ts';
export { AnnotationRepository } from './executions/views/annotation-repository.ts';
export { ExecutionChangeRepository, type ExecutionState } from './executions/views/execution-change-repository.ts';
export {
  ExecutionListRepository,
  type ExecutionPageRequest,
} from './executions/views/execution-list-repository.ts';
export {
  type ExecutionProgress,
  ExecutionProgressRepository,
  type FinishedNodeRun,
} from './executions/views/execution-progress-repository.ts';
export type { ExecutionFilter } from './executions/views/execution-scope.ts';
export { type ReserveMemory, RunDataRepository, type ShownRun, toRunData } from './executions/views/run-data-repository.ts';
export type { ShownExecution } from './executions/views/shown-execution.ts';
export { CalledExecutionRepository } from './executions/waits/called-execution-repository.ts';
export {
  type EndedWait,
  type ExecutionLife,
  ExecutionWaitRepository,
  type RequestWait,
} from './executions/waits/execution-wait-repository.ts';
export { type FormProgress, FormSessionRepository } from './executions/waits/form-session-repository.ts';
export type { NewChild } from './executions/waits/new-child.ts';
export type { NewWait } from './executions/waits/suspend-execution.ts';
export { type ResponseProgress, WebhookResponseRepository } from './executions/waits/webhook-response-repository.ts';
export {
  type ChatSessionMessage,
  ChatSessionRepository,
} from './executions/workflow-data/chat-session-repository.ts';
export { type HistoryOwner, SeenHistoryRepository } from './executions/workflow-data/seen-history-repository.ts';
export { StaticDataRepository } from './executions/workflow-data/static-data-repository.ts';
export { AttentionRepository, type FailingSource, type ProjectUse } from './instance/attention-repository.ts';
export { type Tag, TagRepository } from './instance/tag-repository.ts';
export { VariableRepository } from './instance/variable-repository.ts';
export { LimitedExecutionRepository, type SkippedExecution } from './limits/limited-execution-repository.ts';
export { DiscardedExecutionRepository } from './maintenance/discarded-execution-repository.ts';
export { ExecutionMoveRepository } from './maintenance/execution-move-repository.ts';
export {
  ExecutionRetentionRepository,
  type RetentionRange,
  type RetentionRules,
} from './maintenance/execution-retention-repository.ts';
export { ExpiredRowRepository } from './maintenance/expired-row-repository.ts';
export { assertMigrated, migrateToLatest } from './migrator.ts';
export type { ListPosition, NewestFirst } from './newest-first.ts';
export { type DatabaseFacts, probeDatabase } from './probe-database.ts';
export { type Project, type ProjectMember, ProjectRepository } from './projects/project-repository.ts';
export { ReadCache } from './read-cache.ts';
export { currentSnapshot, SnapshotCache } from './snapshot-cache.ts';
export { inTransaction } from './statements/in-transaction.ts';
export {
  type ExecutionStatistics,
  ExecutionStatisticsRepository,
  type LiveStatistics,
  type StatisticsPeriod,
} from './statistics/execution-statistics-repository.ts';
export { StatisticsRollUpRepository } from './statistics/statistics-roll-up-repository.ts';
export type { Tables } from './tables/tables.ts';
export type { GraphContent } from './tables/workflow-tables.ts';
export type { AppliedRegistrations } from './triggers/confirm-registrations.ts';
export type { PlannedChanges } from './triggers/lease-registrations.ts';
export type {
  LeasedRegistration,
  PlannedRegistration,
  Registration,
  RegistrationSubject,
  ShownRegistration,
} from './triggers/registration.ts';
export { registrationLeaseMs, withRegistrationLease } from './triggers/registration-lease.ts';
export { RegistrationRepository } from './triggers/registration-repository.ts';
export {
  type DueTick,
  type ScheduleState,
  ScheduleTickRepository,
  type TakenTicks,
  type TickDecision,
  type TickPolicy,
} from './triggers/schedule-tick-repository.ts';
export { SourceLeaseLostError } from './triggers/source-lease.ts';
export { type SourceStart, SourceStartRepository, type SourceStartResult } from './triggers/source-start-repository.ts';
export { type OpenTestUrls, TestUrlRepository } from './triggers/test-url-repository.ts';
export { type ActiveTrigger, type NewTrigger, TriggerRepository } from './triggers/trigger-repository.ts';
export {
  type SourceKind,
  type SourceLease,
  type SourceName,
  TriggerSourceRepository,
} from './triggers/trigger-source-repository.ts';
export { type FormRoute, type WebhookRoute, WebhookRouteRepository } from './triggers/webhook-route-repository.ts';
export { WebhookStartRepository } from './triggers/webhook-start-repository.ts';
export { AccessChangeRepository, type AccessChanges } from './users/access-change-repository.ts';
export { apiKeyDigest, generateApiKey, mayBeApiKey } from './users/api-key-format.ts';
export {
  type ApiKey,
  ApiKeyRepository,
  type AuthenticatedKey,
  type KeyLimits,
  type KeyLookup,
} from './users/api-key-repository.ts';
export { type NewSession, SignInRepository } from './users/sign-in-repository.ts';
export { type User, UserRepository } from './users/user-repository.ts';
export { InstallationHealthRepository } from './workers/installation-health-repository.ts';
export { type LiveWorker, WorkerListRepository } from './workers/worker-list-repository.ts';
export {
  type WorkerLoad,
  type WorkerRegistration,
  WorkerRepository,
} from './workers/worker-repository.ts';
export { CallableWorkflowRepository } from './workflows/callable-workflow-repository.ts';
export type { Activation, Workflow, WorkflowFilter, WorkflowHead, WorkflowSummary } from './workflows/workflow.ts';
export { WorkflowQuotaRepository } from './workflows/workflow-quota-repository.ts';
export { errorWorkflowPath, WorkflowRepository } from './workflows/workflow-repository.ts';
export {
  type WorkflowVersion,
  type WorkflowVersionHead,
  WorkflowVersionRepository,
} from './workflows/workflow-version-repository.ts';
