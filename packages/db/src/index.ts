export { Access } from './access.ts';
export { generateApiKey, hashApiKey, mayBeApiKey, redactApiKey } from './api-key-format.ts';
export type { AuditActor, AuditEntry, AuditOutcome, AuditRecord } from './audit/audit-entry.ts';
export { type AuditFilter, AuditRepository, insertAuditEntries } from './audit/audit-repository.ts';
export { type AuditedAct, AuditTrail, noteForAudit } from './audit/audit-trail.ts';
export { type Bootstrap, ensureBootstrap } from './bootstrap.ts';
export { createDatabase, type Database, type DatabaseOptions } from './database.ts';
export { AnnotationRepository } from './executions/annotation-repository.ts';
export { type Execution, type ExecutionInput, timeoutError, workerLostError } from './executions/execution.ts';
export { ExecutionMoves } from './executions/execution-moves.ts';
export { type ExecutionProgress, ExecutionProgressReader, type FinishedNodeRun } from './executions/execution-progress.ts';
export {
  type AttemptRef,
  type ClaimedExecution,
  type Ending,
  ExecutionRecorder,
  type FinalStatus,
  type NewNodeRun,
} from './executions/execution-recorder.ts';
export {
  type CanceledExecution,
  type CancelFilter,
  ExecutionRepository,
  type IdempotencyKey,
  type NewRetry,
  type StartedOnce,
  type StartedRetry,
} from './executions/execution-repository.ts';
export { ExecutionStarter } from './executions/execution-starter.ts';
export { type EncodedGraph, encodeGraph, GraphRepository } from './executions/graph-repository.ts';
export type { NewExecution } from './executions/insert-executions.ts';
export { type ExecutionFilter, ExecutionList } from './executions/list-executions.ts';
export { createQueueGauge, QueueGauge } from './executions/queue-gauge.ts';
export { RunDataRepository, toRunData } from './executions/run-data-repository.ts';
export type { Annotation, ShownExecution } from './executions/shown-execution.ts';
export { assertMigrated, migrateToLatest } from './migrator.ts';
export { AccessChangeRepository, type AccessChanges } from './repositories/access-change-repository.ts';
export {
  type ApiKey,
  ApiKeyRepository,
  type AuthenticatedKey,
  type KeyLookUp,
  type NewApiKey,
} from './repositories/api-key-repository.ts';
export {
  type Credential,
  type CredentialFilter,
  type CredentialHead,
  CredentialRepository,
  type CredentialRevision,
  type CredentialUse,
  type NewCredential,
} from './repositories/credential-repository.ts';
export { CredentialUseRepository, type UsedCredential } from './repositories/credential-use-repository.ts';
export { inTransaction } from './repositories/in-transaction.ts';
export type { ListPosition, NewestFirst } from './repositories/newest-first.ts';
export { type Project, type ProjectMember, ProjectRepository } from './repositories/project-repository.ts';
export type { SealedData } from './repositories/sealed-data.ts';
export { type Tag, TagRepository } from './repositories/tag-repository.ts';
export { type NewUser, type User, type UserChange, UserRepository } from './repositories/user-repository.ts';
export { type Rewrapping, VaultKeyRepository, type WrappedCredential } from './repositories/vault-key-repository.ts';
export type {
  Activation,
  DeletedWorkflow,
  NewWorkflow,
  Workflow,
  WorkflowFilter,
  WorkflowHead,
  WorkflowRevision,
} from './repositories/workflow.ts';
export { WorkflowRepository } from './repositories/workflow-repository.ts';
export {
  type WorkflowVersion,
  type WorkflowVersionHead,
  WorkflowVersionRepository,
} from './repositories/workflow-version-repository.ts';
export { currentSnapshot, SnapshotCache } from './snapshot-cache.ts';
export type { Tables } from './tables/tables.ts';
export type { GraphContent } from './tables/workflow-tables.ts';
export { type WorkerRegistration, WorkerRepository } from './workers/worker-repository.ts';
