export { Access } from './access.ts';
export { generateApiKey, mayBeApiKey, redactApiKey } from './api-key-format.ts';
export { type Bootstrap, ensureBootstrap } from './bootstrap.ts';
export { createDatabase, type Database, type DatabaseOptions } from './database.ts';
export { type Execution, type ExecutionInput, timeoutError, workerLostError } from './executions/execution.ts';
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
} from './executions/execution-repository.ts';
export { ExecutionStarter } from './executions/execution-starter.ts';
export { type EncodedGraph, encodeGraph, GraphRepository } from './executions/graph-repository.ts';
export type { NewExecution } from './executions/insert-executions.ts';
export { type ExecutionFilter, ExecutionList, type ListedExecution } from './executions/list-executions.ts';
export { RunDataRepository, toRunData } from './executions/run-data-repository.ts';
export { assertMigrated, migrateToLatest } from './migrator.ts';
export { ApiKeyRepository, type AuthenticatedKey, type NewApiKey } from './repositories/api-key-repository.ts';
export { type Project, ProjectRepository } from './repositories/project-repository.ts';
export { type User, UserRepository } from './repositories/user-repository.ts';
export {
  type DeletedWorkflow,
  type NewWorkflow,
  type Workflow,
  type WorkflowFilter,
  type WorkflowHead,
  type WorkflowPosition,
  WorkflowRepository,
  type WorkflowRevision,
} from './repositories/workflow-repository.ts';
export type { Tables } from './tables/tables.ts';
export type { GraphContent } from './tables/workflow-tables.ts';
export { type WorkerRegistration, WorkerRepository } from './workers/worker-repository.ts';
