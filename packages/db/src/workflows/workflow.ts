import type { ExecutionId, JsonObject, WorkflowId } from '@sluice/domain';
import type { GraphContent } from '../tables/workflow-tables.ts';

/** A workflow without its graph: the data needed to start a run. */
export interface WorkflowHead {
  id: WorkflowId;
  projectId: string;
  name: string;
  active: boolean;
  /** The newest version. */
  versionId: string;
  /** Null while inactive. */
  activeVersionId: string | null;
  /** Names the newest version's graph. */
  graphHash: string;
  createdAt: Date;
  updatedAt: Date;
  /**
   * `createdAt` and `updatedAt` in microseconds since the epoch: exact, for cursors and for
   * distinguishing saves.
   */
  createdAtUs: string;
  updatedAtUs: string;
}

/** An entry of a list without graphs. */
export interface WorkflowSummary extends WorkflowHead {
  /** Ids, in the order in which they were set. */
  tags: string[];
}

export interface Workflow extends WorkflowSummary {
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
}

export interface NewWorkflow {
  /** Absent: generated. */
  id?: WorkflowId | undefined;
  projectId: string;
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
  tags?: readonly string[] | undefined;
  authorId: string;
}

export interface WorkflowFilter {
  /** Part of the name, in any case; `%` and `_` are literal. */
  name?: string | undefined;
  active?: boolean | undefined;
  projectId?: string | undefined;
  /** The workflow must have all of them. */
  tagIds?: readonly string[] | undefined;
}

/** A page of a list. */
export interface WorkflowPage {
  workflows: Workflow[];
  /** The page ended before its limit, because its workflows are large; there are more. */
  cut: boolean;
  /** Size in bytes of its workflows' JSON in the database. */
  bytes: number;
}

/** The new content to save. */
export interface WorkflowRevision {
  graph: GraphContent;
  staticData: JsonObject | null;
  /** Absent: unchanged. */
  tags?: readonly string[] | undefined;
}

export interface Activation {
  /** Absent: the newest. */
  versionId?: string;
  /** Label of the version; absent: unchanged. */
  name?: string;
  description?: string;
}

/** A workflow that has just been activated. */
export interface ActivatedWorkflow extends Workflow {
  /** Executions that the activation itself started; the caller enqueues them. */
  started: readonly ExecutionId[];
}

export interface DeletedWorkflow {
  id: WorkflowId;
  name: string;
  /**
   * Canceled executions: the workflow's unfinished executions, and their sub-executions in other
   * workflows.
   */
  canceled: ExecutionId[];
}
