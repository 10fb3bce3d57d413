import type { Connections, JsonObject, PinnedItem, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import type { ColumnType, Generated } from 'kysely';

/** JSON kept as text (`json`, not `jsonb`): it comes back byte for byte, `\u0000` and lone surrogates included. */
export type Json<T> = ColumnType<T, string, string>;

export interface WorkflowTable {
  id: string;
  project_id: string;
  name: string;
  active: Generated<boolean>;
  /** The newest version. */
  version_id: string;
  /** The version that triggers run; null while inactive. */
  active_version_id: string | null;
  static_data: Json<JsonObject | null> | null;
  meta: Json<JsonObject | null> | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** What a graph row holds: the parts of a workflow that a run depends on. */
export interface GraphContent {
  name: string;
  nodes: WorkflowNode[];
  connections: Connections;
  settings?: WorkflowSettings;
  pinData?: Record<string, PinnedItem[]>;
}

/** Content-addressed: a thousand runs of one graph store it once. Immutable. */
export interface WorkflowGraphTable {
  workflow_id: string;
  /** SHA-256 of the content's JSON text, base64url. */
  hash: string;
  content: Json<GraphContent>;
  /** Of the content's JSON text. */
  bytes: number;
  /** Milliseconds that the content's settings allow a run; null: no limit. Here so that starting a run need not read the content. */
  timeout_ms: number | null;
  /** The workflow that a failed run starts; null: none. Here for the same reason. */
  error_workflow_id: string | null;
  /** Node types of installed packages that it takes to run it, as in `worker_types`; null: none. */
  foreign_types: string[] | null;
  created_at: Generated<Date>;
}

/** One save of a workflow. Immutable but for its label. */
export interface WorkflowVersionTable {
  id: string;
  workflow_id: string;
  graph_hash: string;
  name: string | null;
  description: string | null;
  author_id: string | null;
  created_at: Generated<Date>;
}

/** Ids of deleted workflows, which are never used again; a trigger on `workflows` writes them. */
export interface DeletedWorkflowTable {
  id: string;
  deleted_at: Generated<Date>;
}
