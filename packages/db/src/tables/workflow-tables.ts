import type { Connections, JsonObject, PinnedItem, WorkflowNode, WorkflowSettings } from '@sluice/domain';
import type { ColumnType, Generated } from 'kysely';

/**
 * JSON kept as text (`json`, not `jsonb`): it is read back byte for byte, including `\u0000` and
 * lone surrogates.
 */
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

/** Content of a graph row: the parts of a workflow that a run depends on. */
export interface GraphContent {
  name: string;
  nodes: WorkflowNode[];
  connections: Connections;
  settings?: WorkflowSettings;
  pinData?: Record<string, PinnedItem[]>;
}

/** Content-addressed: a thousand runs of the same graph store it once. Immutable. */
export interface WorkflowGraphTable {
  workflow_id: string;
  /** SHA-256 of the content's JSON text, base64url. */
  hash: string;
  content: Json<GraphContent>;
  /** Length of the content's JSON text. */
  bytes: number;
  /**
   * Time limit of a run in milliseconds, from the content's settings; null: no limit. Stored here
   * so that starting a run does not read the content.
   */
  timeout_ms: number | null;
  /** The workflow's priority; null: the default. Stored here for the same reason. */
  priority: number | null;
  /** The error workflow, if any. Stored here for the same reason. */
  error_workflow_id: string | null;
  /**
   * Node types of installed packages that running it requires, as in `worker_types`; null if it
   * requires none.
   */
  foreign_types: string[] | null;
  /**
   * Credentials that its nodes name; null if they name none. Stored here so that a claim finds
   * their limits.
   */
  credential_ids: string[] | null;
  /** When to look for references to it; null: never, because a version uses it. */
  check_at: Generated<Date | null>;
  created_at: Generated<Date>;
}

/** One save of a workflow. Immutable except for its label. */
export interface WorkflowVersionTable {
  id: string;
  workflow_id: string;
  graph_hash: string;
  name: string | null;
  description: string | null;
  author_id: string | null;
  created_at: Generated<Date>;
}

/** Ids of deleted workflows, which are never reused; written by a trigger on `workflows`. */
export interface DeletedWorkflowTable {
  id: string;
  deleted_at: Generated<Date>;
}
