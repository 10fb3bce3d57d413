import type { ExecutionId, JsonObject, WorkflowId } from '@sluice/domain';
import type { GraphContent } from '../tables/workflow-tables.ts';

/** A workflow without its graph: what a run needs to know. */
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
  /** `createdAt` and `updatedAt` in microseconds since the epoch: exact, for cursors and for telling one save from the next. */
  createdAtUs: string;
  updatedAtUs: string;
}

export interface Workflow extends WorkflowHead {
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
  /** Ids, in the order in which they were given. */
  tags: string[];
}

export interface NewWorkflow {
  /** Absent: generated. */
  id?: WorkflowId;
  projectId: string;
  graph: GraphContent;
  staticData: JsonObject | null;
  meta: JsonObject | null;
  tags?: readonly string[];
  authorId: string;
}

export interface WorkflowFilter {
  /** Part of the name, in any case; `%` and `_` stand for themselves. */
  name?: string;
  active?: boolean;
  projectId?: string;
  /** The workflow has all of them. */
  tagIds?: readonly string[];
}

/** A page of a list. */
export interface WorkflowPage {
  workflows: Workflow[];
  /** It ends before its limit, since its workflows are large; there are more. */
  cut: boolean;
}

/** What a save puts in place of the current content. */
export interface WorkflowRevision {
  graph: GraphContent;
  staticData: JsonObject | null;
  /** Absent: they stay. */
  tags?: readonly string[];
}

export interface Activation {
  /** Absent: the newest. */
  versionId?: string;
  /** Label of the version; absent: it keeps what it has. */
  name?: string;
  description?: string;
}

/** A workflow that has just been activated. */
export interface ActivatedWorkflow extends Workflow {
  /** Executions that the activation itself has started; they have to be enqueued. */
  started: readonly ExecutionId[];
}

export interface DeletedWorkflow {
  id: WorkflowId;
  name: string;
  /** Executions that had not ended, and what they had called in other workflows. */
  canceled: ExecutionId[];
}
