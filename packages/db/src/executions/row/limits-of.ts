import { keyed } from '../../statements/statement.ts';

/**
 * Subquery of the `execution_limits` rows that apply to the execution `e`. A credential that its
 * project may not use does not count: otherwise, others could use up the limit by naming the
 * credential.
 */
export const limitsOfExecution = `
  SELECT l.* FROM execution_limits l WHERE l.workflow_id = e.workflow_id
  UNION ALL SELECT l.* FROM execution_limits l WHERE l.project_id = e.project_id
  UNION ALL SELECT l.* FROM workflow_graphs g JOIN execution_limits l ON l.credential_id = ANY (g.credential_ids)
    JOIN ${keyed('credentials', 'id = l.credential_id')} c ON true
    WHERE g.workflow_id = e.workflow_id AND g.hash = e.graph_hash AND (c.project_id = e.project_id OR c.is_global
      OR EXISTS (SELECT FROM credential_shares s WHERE s.credential_id = c.id AND s.project_id = e.project_id))`;

/** Kind of the limit `l`. */
export const limitKind =
  "CASE WHEN l.workflow_id IS NOT NULL THEN 'workflow' WHEN l.project_id IS NOT NULL THEN 'project' ELSE 'credential' END";

/**
 * Whether a limit applies to the execution `e`. If no limits exist, this reads one empty table once
 * per statement.
 */
export const isLimited = `EXISTS (SELECT FROM execution_limits) AND EXISTS (${limitsOfExecution})`;

/** Condition on rows that a limit blocks, as in the index `executions_blocked`. */
export const isBlocked = (e: string) =>
  `${e}.limit_ids IS NOT NULL AND ${e}.status IN ('new', 'running') AND ${e}.queued_at = 'infinity'`;

/** Condition on rows that count toward limits, as in the index `executions_limited`. */
export const isCounted = (e: string) =>
  `${e}.limit_ids IS NOT NULL AND ${e}.status IN ('new', 'running') AND ${e}.queued_at < 'infinity'`;
