import {
  type AppError,
  type ExecutionId,
  type ExecutionMode,
  ForbiddenError,
  NotFoundError,
  shownId,
  type WorkflowId,
} from '@sluice/domain';
import type { Access } from '../../access.ts';
import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { PreparedStatement } from '../../connection/database.ts';
import { packJson } from '../../json/codec.ts';
import { rows, statement, value } from '../../statements/statement.ts';
import { queueFullError } from '../queue/queue-gauge.ts';
import type { ExecutionInput } from '../row/execution.ts';

export interface NewExecution {
  workflowId: WorkflowId;
  /** Projects in which the caller may run workflows. */
  access: Access;
  /** Hash of a stored graph of the workflow; null: its newest version. */
  graphHash: string | null;
  /**
   * Only if the workflow is active with that graph at the commit: a concurrent activation or
   * deactivation commits before or after it. Default: any active version.
   */
  ifActive?: boolean;
  /** With `ifActive`: only if this route exists as well. */
  routeId?: string;
  mode: ExecutionMode;
  userId: string | null;
  input?: ExecutionInput;
}

/** A start with its audit line; both are stored, or neither. */
interface AuditedStart {
  execution: NewExecution;
  audit?: Readonly<AuditEntry> | undefined;
}

/** A start with its encoded input. */
export interface EncodedStart extends AuditedStart {
  /** The input as stored, see `packJson`; null: no input. */
  data: Buffer | null;
}

/** One row for each input whose workflow exists; `ord` is the 1-based position of the input. */
export interface InsertedRow {
  ord: string;
  /** Null: refused. */
  id: ExecutionId | null;
  project_id: string;
  /** False: another transaction had locked the workflow, or has deleted it. */
  locked: boolean;
  /** Whether the project's full queue is the reason. Otherwise the workflow is not accessible. */
  queue_full: boolean;
  /** Whether the reason is that the workflow is no longer active with the graph or at the route. */
  outdated: boolean;
}

// One statement for all starts: locks and reads the workflows, checks access, finds the graph and
// time limit, inserts, and audits. The lock is the one of the execution's foreign key, but earlier:
// a concurrent activation, which takes a full row lock, commits before or after this statement. A
// start that waited for it detects that its version is no longer active.
const insertStatement = (name: string, lock: string) =>
  statement({
    name,
    byKey: true,
    parameters: {
      starts: rows<EncodedStart>(
        'i',
        {
          workflow_id: ['text', ({ execution }) => execution.workflowId],
          project_ids: ['text', ({ execution }) => projectIdsOf(execution.access)],
          graph_hash: ['text', ({ execution }) => execution.graphHash],
          mode: ['text', ({ execution }) => execution.mode],
          user_id: ['text', ({ execution }) => execution.userId],
          data: ['bytea', ({ data }) => data],
          audit: ['json', ({ audit }) => (audit ? JSON.stringify(audit) : null)],
          if_active: ['boolean', ({ execution }) => execution.ifActive === true],
          route_id: ['bigint', ({ execution }) => execution.routeId ?? null],
        },
        'ord',
      ),
      workflows: value<readonly WorkflowId[]>('text[]'),
      fullProjects: value<readonly string[]>('text[]'),
    },
    text: ({ starts, workflows, fullProjects }) => `
WITH locked AS MATERIALIZED (
  SELECT id, active, active_version_id FROM workflows WHERE id = ANY (${workflows}) ${lock}
), candidate AS (
  SELECT i.*, w.project_id, w.version_id AS newest_version_id, v.graph_hash AS newest_hash, g.hash, g.timeout_ms,
    a.id AS active_version_id, a.graph_hash AS active_hash, locked.id IS NOT NULL AS locked,
    i.project_ids IS NULL OR w.project_id = ANY (string_to_array(i.project_ids, ' ')) AS accessible,
    w.project_id = ANY (${fullProjects}) AS full_project,
    i.if_active AND (NOT locked.active OR a.graph_hash IS DISTINCT FROM i.graph_hash
      OR i.route_id IS NOT NULL AND NOT EXISTS (SELECT FROM webhook_routes r WHERE r.id = i.route_id)) AS outdated
  FROM ${starts}
  JOIN workflows w ON w.id = i.workflow_id
  JOIN workflow_versions v ON v.id = w.version_id
  LEFT JOIN locked ON locked.id = w.id
  LEFT JOIN workflow_versions a ON a.id = locked.active_version_id
  JOIN workflow_graphs g ON g.workflow_id = w.id AND g.hash = coalesce(i.graph_hash, v.graph_hash)
), input AS MATERIALIZED (
  SELECT *, CASE WHEN locked AND accessible AND NOT full_project AND NOT outdated THEN nextval('executions_id_seq') END AS id
  FROM (SELECT * FROM candidate ORDER BY ord) AS candidate
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, user_id, timeout_ms, stored_bytes)
  SELECT id, workflow_id, project_id, hash,
    CASE hash WHEN newest_hash THEN newest_version_id WHEN active_hash THEN active_version_id END, 'new', mode, user_id, timeout_ms, coalesce(octet_length(data), 0)
  FROM input WHERE id IS NOT NULL
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT id, data FROM input WHERE id IS NOT NULL AND data IS NOT NULL
), lines AS (
  INSERT INTO audit_log (actor, user_id, key_id, ip, request_id, action, object_type, object_id, object_name, project_id, outcome, details)
  SELECT a.actor, a."userId", a."keyId", a.ip, a."requestId", a.action, a."objectType", a."objectId", a."objectName", input.project_id,
    a.outcome, (coalesce(a.details, '{}') || jsonb_build_object('executionId', id::text))::json
  FROM input, json_to_record(audit) AS a (actor text, "userId" text, "keyId" text, ip text, "requestId" text, action text,
    "objectType" text, "objectId" text, "objectName" text, outcome text, details jsonb)
  WHERE id IS NOT NULL AND audit IS NOT NULL ORDER BY ord
)
SELECT ord, id, project_id, locked, accessible AND full_project AS queue_full, outdated FROM input`,
  });
const insertWhenUnlocked = insertStatement('insert-executions', 'FOR KEY SHARE');
const insertIfUnlocked = insertStatement('insert-executions-if-unlocked', 'FOR KEY SHARE SKIP LOCKED');

interface InsertOptions {
  /** Starts of these projects are refused. */
  fullProjects?: readonly string[] | undefined;
  /**
   * Whether starts of a workflow that another transaction has locked are refused instead of
   * waiting.
   */
  skipLocked?: boolean;
}

/** One statement that inserts any number of executions as `new`. */
export function insertExecutions(
  starts: readonly EncodedStart[],
  { fullProjects = [], skipLocked = false }: InsertOptions,
): PreparedStatement {
  const workflows = [...new Set(starts.map(({ execution }) => execution.workflowId))];
  return (skipLocked ? insertIfUnlocked : insertWhenUnlocked)({ starts, workflows, fullProjects });
}

/** Encodes the input of a start, so that its stored size is known before the statement. */
export async function encodeStart(start: AuditedStart): Promise<EncodedStart> {
  const { input } = start.execution;
  return { ...start, data: input ? await packJson(input) : null };
}

/** Separated by spaces; null: all projects. */
function projectIdsOf({ projectIds }: Access): string | null {
  return projectIds === 'all' ? null : [...projectIds].join(' ');
}

/** The version to start is no longer the active one. */
export class NotActiveError extends NotFoundError {
  constructor() {
    super('the workflow is no longer active');
  }
}

/** The workflow is locked by another transaction, or was deleted by one. */
export class NotLockedError extends NotFoundError {}

/** The new execution ids, in order, or the reasons why executions were not inserted. */
export function insertedIds(rows: readonly InsertedRow[], executions: readonly NewExecution[]): (ExecutionId | AppError)[] {
  const byOrd = new Map(rows.map((row) => [Number(row.ord), row]));
  return executions.map((execution, i) => insertedId(byOrd.get(i + 1), execution));
}

function insertedId(row: InsertedRow | undefined, { workflowId }: NewExecution): ExecutionId | AppError {
  if (!row?.locked) return new (row ? NotLockedError : NotFoundError)(`workflow ${shownId(workflowId)} does not exist`);
  if (row.outdated) return new NotActiveError();
  if (row.queue_full) return queueFullError(row.project_id);
  return row.id ?? new ForbiddenError(`workflow ${workflowId} is not accessible with the role that this needs`);
}
