import type { Generated } from 'kysely';

/** Tags belong to the instance: every project uses the same ones. */
export interface TagTable {
  id: string;
  name: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface WorkflowTagTable {
  workflow_id: string;
  tag_id: string;
  /** Place in the workflow's list, from 0. */
  position: number;
}

/** What people think of an execution. A row only while there is a vote or a tag; annotated executions are not pruned. */
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
