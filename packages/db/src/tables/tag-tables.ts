import type { Generated } from 'kysely';

/** Tags belong to the instance; all projects share them. */
export interface TagTable {
  id: string;
  name: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface WorkflowTagTable {
  workflow_id: string;
  tag_id: string;
  /** Position in the workflow's list, from 0. */
  position: number;
}

/**
 * Vote and tags of an execution. The row exists only while there is a vote or a tag; annotated
 * executions are not pruned.
 */
export interface ExecutionAnnotationTable {
  execution_id: string;
  vote: 'up' | 'down' | null;
  updated_at: Generated<Date>;
}

export interface ExecutionAnnotationTagTable {
  execution_id: string;
  tag_id: string;
  position: number;
}
