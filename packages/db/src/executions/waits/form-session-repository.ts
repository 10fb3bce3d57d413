import type { ExecutionId, ExecutionStatus, FormTrigger, WebhookResponse, WorkflowId } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { unpackJson } from '../../json/codec.ts';

/** Progress of an execution, for the users who fill in its forms. */
export interface FormProgress {
  workflowId: WorkflowId;
  /** The graph that runs. */
  graphHash: string;
  status: ExecutionStatus;
  /** Milliseconds until it resumes by time; null: no time limit. */
  resumesInMs: number | null;
  /** The workflow's response to the requesting user. */
  response: WebhookResponse | undefined;
  /** The form that started it; known for a day. */
  startedBy: StartForm | undefined;
}

interface StartForm {
  nodeName: string;
  /** `undefined`: the trigger no longer exists. */
  spec: FormTrigger | undefined;
  /** Whether it was submitted with the key of this request. */
  byKey: boolean;
}

const readText = `
SELECT e.workflow_id AS "workflowId", e.graph_hash AS "graphHash", e.status,
  extract(epoch FROM e.resume_at - now())::float8 * 1000 AS "resumesInMs", a.data AS response, k.node_name AS "nodeName",
  CASE WHEN e.mode = 'manual' THEN u.spec ELSE t.spec END AS spec,
  k.key = $2 AND e.mode IN ('webhook', 'manual') AS "byKey"
FROM executions e
LEFT JOIN webhook_answers a ON a.execution_id = e.id AND a.to_wait = $3
LEFT JOIN webhook_keys k ON k.execution_id = e.id
LEFT JOIN triggers t ON t.workflow_id = e.workflow_id AND t.node_name = k.node_name AND t.kind = 'form'
LEFT JOIN test_routes u ON u.workflow_id = e.workflow_id AND u.node_name = k.node_name AND u.kind = 'form'
WHERE e.id = $1 LIMIT 1`;

interface ProgressRow extends Omit<FormProgress, 'response' | 'startedBy'> {
  response: Buffer | null;
  nodeName: string | null;
  spec: FormTrigger | null;
  byKey: boolean | null;
}

/** Users' progress through forms, by execution id: the caller checks access. */
export class FormSessionRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * `key`: the page key of the request, if it has the format of one. `slot`: whose response to
   * read. `undefined`: the execution does not exist.
   */
  async read(
    executionId: ExecutionId,
    { key, slot }: { key: string | undefined; slot: number },
  ): Promise<FormProgress | undefined> {
    const statement = { name: 'read-form-session', text: readText, values: [executionId, key ?? null, slot] };
    const [row] = await this.#db.query<ProgressRow>(statement);
    if (!row) return undefined;
    const { workflowId, graphHash, status, resumesInMs, response, nodeName, spec, byKey } = row;
    return {
      workflowId,
      graphHash,
      status,
      resumesInMs,
      response: response ? await unpackJson<WebhookResponse>(response) : undefined,
      startedBy: nodeName === null ? undefined : { nodeName, spec: spec ?? undefined, byKey: byKey === true },
    };
  }
}
