import type { AuditTable } from './audit-table.ts';
import type { BinaryDataTable, BinaryLeftoverTable } from './binary-tables.ts';
import type { ChatSessionTable } from './chat-session-table.ts';
import type { CredentialConsentTable, CredentialShareTable, CredentialTable, VaultCanaryTable } from './credential-tables.ts';
import type { DataTableColumnTable, DataTableLeftoverTable, DataTableRowTable, DataTableTable } from './data-table-tables.ts';
import type { EventDeliveryTable, EventSubscriptionTable } from './event-tables.ts';
import type {
  ExecutionInputTable,
  ExecutionMoveTable,
  ExecutionTable,
  IdempotencyKeyTable,
  NodeRunTable,
} from './execution-tables.ts';
import type { ExecutionLimitTable } from './limit-table.ts';
import type { RegistrationTable } from './registration-table.ts';
import type { SeenMarkTable, SeenValueTable } from './seen-tables.ts';
import type { ExecutionStatisticsTable, StatisticsPendingTable, StatisticsProgressTable } from './statistics-tables.ts';
import type { ExecutionAnnotationTable, ExecutionAnnotationTagTable, TagTable, WorkflowTagTable } from './tag-tables.ts';
import type { TestRouteTable, TestUrlTable } from './test-url-tables.ts';
import type { TriggerSourceTable, TriggerTable } from './trigger-tables.ts';
import type { AiUsageTable, ProjectUsageChangeTable, ProjectUsageTable } from './usage-tables.ts';
import type {
  AccessChangeTable,
  AccessVersionTable,
  ApiKeyTable,
  ProjectMemberTable,
  ProjectTable,
  SignInLinkTable,
  UserTable,
} from './user-tables.ts';
import type { VariableTable } from './variable-table.ts';
import type { ErrorStartTable, ExecutionWaitTable } from './wait-tables.ts';
import type { WebhookKeyTable, WebhookResponseTable, WebhookRouteTable } from './webhook-tables.ts';
import type { WorkerTable, WorkerTypesTable } from './worker-table.ts';
import type { DeletedWorkflowTable, WorkflowGraphTable, WorkflowTable, WorkflowVersionTable } from './workflow-tables.ts';

/** Every table, for Kysely. Row types stay in this package; domain types leave it. */
export interface Tables {
  users: UserTable;
  projects: ProjectTable;
  project_members: ProjectMemberTable;
  project_usage: ProjectUsageTable;
  project_usage_changes: ProjectUsageChangeTable;
  api_keys: ApiKeyTable;
  sign_in_links: SignInLinkTable;
  access_version: AccessVersionTable;
  access_changes: AccessChangeTable;
  audit_log: AuditTable;
  workflows: WorkflowTable;
  deleted_workflows: DeletedWorkflowTable;
  workflow_graphs: WorkflowGraphTable;
  workflow_versions: WorkflowVersionTable;
  executions: ExecutionTable;
  execution_limits: ExecutionLimitTable;
  execution_statistics: ExecutionStatisticsTable;
  statistics_pending: StatisticsPendingTable;
  statistics_progress: StatisticsProgressTable;
  execution_inputs: ExecutionInputTable;
  node_runs: NodeRunTable;
  execution_waits: ExecutionWaitTable;
  ai_usages: AiUsageTable;
  error_starts: ErrorStartTable;
  binary_data: BinaryDataTable;
  binary_leftovers: BinaryLeftoverTable;
  idempotency_keys: IdempotencyKeyTable;
  workers: WorkerTable;
  worker_types: WorkerTypesTable;
  credentials: CredentialTable;
  credential_shares: CredentialShareTable;
  credential_consents: CredentialConsentTable;
  vault_canary: VaultCanaryTable;
  data_tables: DataTableTable;
  data_table_columns: DataTableColumnTable;
  data_table_rows: DataTableRowTable;
  data_table_leftovers: DataTableLeftoverTable;
  event_subscriptions: EventSubscriptionTable;
  event_deliveries: EventDeliveryTable;
  tags: TagTable;
  workflow_tags: WorkflowTagTable;
  execution_annotations: ExecutionAnnotationTable;
  execution_annotation_tags: ExecutionAnnotationTagTable;
  execution_moves: ExecutionMoveTable;
  chat_sessions: ChatSessionTable;
  seen_values: SeenValueTable;
  seen_marks: SeenMarkTable;
  variables: VariableTable;
  triggers: TriggerTable;
  trigger_sources: TriggerSourceTable;
  registrations: RegistrationTable;
  webhook_routes: WebhookRouteTable;
  webhook_answers: WebhookResponseTable;
  webhook_keys: WebhookKeyTable;
  test_urls: TestUrlTable;
  test_routes: TestRouteTable;
}
