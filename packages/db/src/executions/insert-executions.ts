import type { ExecutionId, ExecutionMode, WorkflowId } from '@sluice/domain';
import { encodeJson } from '../codec.ts';
import type { PreparedStatement } from '../database.ts';
import type { ExecutionInput } from './execution.ts';

/** An execution to be made. Its graph must be stored. */
export interface NewExecution {
  workflowId: WorkflowId;
  graphHash: string;
  /** Null: a snapshot that is no saved version. */
  versionId: string | null;
  mode: ExecutionMode;
  userId: string | null;
  /** Milliseconds; null: no limit. */
  timeoutMs: number | null;
  input?: ExecutionInput;
}

/** `id: null`: the workflow does not exist (any more). */
export interface InsertedExecution {
  id: ExecutionId | null;
  createdAt: Date | null;
}

/** A row for each input that has one, in any order; `ord` is the 1-based place of its input. */
export interface InsertedRow {
  ord: string;
  id: ExecutionId;
  created_at: Date;
}

const text = `
WITH input AS MATERIALIZED (
  SELECT nextval(pg_get_serial_sequence('executions', 'id')) AS id, w.project_id, i.*
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bytea[])
    WITH ORDINALITY AS i (workflow_id, graph_hash, version_id, mode, user_id, timeout_ms, data, ord)
  JOIN workflows w ON w.id = i.workflow_id
), inserted AS (
  INSERT INTO executions (id, workflow_id, project_id, graph_hash, version_id, status, mode, user_id, timeout_ms)
  SELECT id, workflow_id, project_id, graph_hash, version_id, 'new', mode, user_id, timeout_ms FROM input
  RETURNING id, created_at
), inputs AS (
  INSERT INTO execution_inputs (execution_id, data) SELECT id, data FROM input WHERE data IS NOT NULL
)
SELECT input.ord, input.id, inserted.created_at FROM input JOIN inserted USING (id)`;

/** One statement that inserts any number of executions as `new`, each with its workflow's project. */
export function insertExecutions(rows: readonly NewExecution[]): PreparedStatement {
  const column = <T>(pick: (row: NewExecution) => T) => rows.map(pick);
  return {
    name: 'insert-executions',
    text,
    values: [
      column((r) => r.workflowId),
      column((r) => r.graphHash),
      column((r) => r.versionId),
      column((r) => r.mode),
      column((r) => r.userId),
      column((r) => r.timeoutMs),
      column((r) => (r.input ? encodeJson(r.input) : null)),
    ],
  };
}
