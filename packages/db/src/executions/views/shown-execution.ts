import type { LimitKind } from '@sluice/domain';
import { type Kysely, type Selectable, sql } from 'kysely';
import { constantSql } from '../../statements/compiled.ts';
import type { ExecutionTable } from '../../tables/execution-tables.ts';
import type { Tables } from '../../tables/tables.ts';
import { annotationTags, tagIdsOf } from '../../tag-links.ts';
import { type Execution, toExecution } from '../row/execution.ts';
import { isBlocked, limitKind } from '../row/limits-of.ts';

export interface Annotation {
  /** IDs of tags, in the order of the request. */
  tags: string[];
  vote: 'up' | 'down' | null;
}

/**
 * A limit that blocks an execution: the limit of the workflow, project, or credential with this id.
 */
interface BlockingLimit {
  limit: LimitKind;
  id: string;
}

/** The node run that waits: for a time, a request, or a sub-workflow. */
interface WaitingRun {
  node: string;
  /** Start of the node run, in milliseconds since the epoch. */
  startTime: number;
}

/** An execution with the data that the API shows with it. */
export interface ShownExecution extends Execution {
  /** Null if it does not wait for a limit. */
  waitingFor: BlockingLimit | null;
  /** Null if no node run waits. */
  waitingRun: WaitingRun | null;
  workflowName: string;
  annotation: Annotation;
}

const waitingFor = sql<BlockingLimit | null>`CASE WHEN ${constantSql(isBlocked('executions'))} THEN (
  SELECT json_build_object('limit', ${constantSql(limitKind)}, 'id', coalesce(l.workflow_id, l.project_id, l.credential_id))
  FROM execution_limits l WHERE l.id = executions.limit_ids[1]) END`;

// An execution that waits for a sub-workflow is `running`, and its `queued_at` is infinity.
const waitingRun = sql<WaitingRun | null>`CASE WHEN executions.status = 'waiting'
  OR executions.status = 'running' AND executions.queued_at = 'infinity' THEN (
  SELECT json_build_object('node', w.node_name, 'startTime', w.start_time)
  FROM execution_waits w WHERE w.execution_id = executions.id AND w.attempt = executions.attempt) END`;

export function selectShown(db: Kysely<Tables>) {
  return db
    .selectFrom('executions')
    .innerJoin('workflows', 'workflows.id', 'executions.workflow_id')
    .leftJoin('execution_annotations as a', 'a.execution_id', 'executions.id')
    .selectAll('executions')
    .select(['workflows.name as workflow_name', 'a.vote', tagIdsOf(annotationTags, 'a.execution_id').as('tags')])
    .select([waitingFor.as('waiting_for'), waitingRun.as('waiting_run')]);
}

export interface ShownRow extends Selectable<ExecutionTable> {
  workflow_name: string;
  vote: Annotation['vote'];
  tags: string[];
  waiting_for: BlockingLimit | null;
  waiting_run: WaitingRun | null;
}

export function toShown(row: ShownRow): ShownExecution {
  return {
    ...toExecution(row),
    workflowName: row.workflow_name,
    annotation: { tags: row.tags, vote: row.vote },
    waitingFor: row.waiting_for,
    waitingRun: row.waiting_run,
  };
}
