import type { ApiKeyTable } from './api-key-table.ts';
import type { ExecutionInputTable, ExecutionTable, IdempotencyKeyTable, NodeRunTable } from './execution-tables.ts';
import type { ProjectMemberTable, ProjectTable, UserTable } from './user-tables.ts';
import type { WorkerTable } from './worker-table.ts';
import type { WorkflowGraphTable, WorkflowTable, WorkflowVersionTable } from './workflow-tables.ts';

/** Every table, for Kysely. Row types stay in this package; domain types leave it. */
export interface Tables {
  users: UserTable;
  projects: ProjectTable;
  project_members: ProjectMemberTable;
  api_keys: ApiKeyTable;
  workflows: WorkflowTable;
  workflow_graphs: WorkflowGraphTable;
  workflow_versions: WorkflowVersionTable;
  executions: ExecutionTable;
  execution_inputs: ExecutionInputTable;
  node_runs: NodeRunTable;
  idempotency_keys: IdempotencyKeyTable;
  workers: WorkerTable;
}
