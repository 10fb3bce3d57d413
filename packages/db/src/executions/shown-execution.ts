import type { Kysely, Selectable } from 'kysely';
import type { ExecutionTable } from '../tables/execution-tables.ts';
import type { Tables } from '../tables/tables.ts';
import { annotationTags, tagIdsOf } from '../tag-links.ts';
import { type Execution, toExecution } from './execution.ts';

export interface Annotation {
  /** Tag ids, in the order in which they were given. */
  tags: string[];
  vote: 'up' | 'down' | null;
}

/** An execution with the data that the API shows with it. */
export interface ShownExecution extends Execution {
  workflowName: string;
  annotation: Annotation;
}

export function selectShown(db: Kysely<Tables>) {
  return db
    .selectFrom('executions')
    .innerJoin('workflows', 'workflows.id', 'executions.workflow_id')
    .leftJoin('execution_annotations as a', 'a.execution_id', 'executions.id')
    .selectAll('executions')
    .select(['workflows.name as workflow_name', 'a.vote', tagIdsOf(annotationTags, 'a.execution_id').as('tags')]);
}

export function toShown(
  row: Selectable<ExecutionTable> & { workflow_name: string; vote: Annotation['vote']; tags: string[] },
): ShownExecution {
  return { ...toExecution(row), workflowName: row.workflow_name, annotation: { tags: row.tags, vote: row.vote } };
}
