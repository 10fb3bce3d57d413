import { type ExecutionId, type ExecutionStatus, type NodeRun, starterSlot, type WebhookResponse } from '@sluice/domain';
import type { Database } from '../../connection/database.ts';
import { packText, unpackJson } from '../../json/codec.ts';
import { keyed, statement, value } from '../../statements/statement.ts';
import type { AttemptRef } from '../row/attempt-ref.ts';

/** Progress of the execution that a request waits for. */
export interface ResponseProgress {
  status: ExecutionStatus;
  response: WebhookResponse | undefined;
  /** The last run of those nodes, if it succeeded. */
  lastRun: NodeRun | undefined;
  /**
   * Whether a limit of the workflow skipped it: only then does a canceled execution have an error.
   */
  isSkipped: boolean;
}

const storeStatement = statement({
  name: 'store-webhook-response',
  byKey: true,
  parameters: { id: value<ExecutionId>(), attempt: value<number>(), slot: value<number>(), data: value<Buffer>() },
  text: ({ id, attempt, slot, data }) => `
INSERT INTO webhook_answers (execution_id, to_wait, data)
SELECT id, ${slot}, ${data} FROM executions WHERE id = ${id} AND attempt = ${attempt} AND CASE status WHEN 'running' THEN true END
ON CONFLICT DO NOTHING RETURNING execution_id`,
});

const progressText = `
SELECT e.status, e.status = 'canceled' AND e.error IS NOT NULL AS skipped, a.data AS response, CASE WHEN $2 AND e.status = 'success' THEN
  (SELECT data FROM node_runs n WHERE n.execution_id = e.id ORDER BY seq DESC LIMIT 1) END AS last
FROM executions e LEFT JOIN ${keyed('webhook_answers', 'execution_id = e.id AND to_wait = $3')} a ON true WHERE e.id = $1`;

interface ProgressRow {
  status: ExecutionStatus;
  response: Buffer | null;
  last: Buffer | null;
  skipped: boolean;
}

/**
 * Responses of workflows to the requests and forms that started or resumed them. Read by execution
 * id: only the client that sent the request reads them.
 */
export class WebhookResponseRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Only the first response in a slot is stored: false for later ones, and if the attempt is no
   * longer running.
   */
  async store({ executionId, attempt }: AttemptRef, json: string, slot = starterSlot): Promise<boolean> {
    const statement = storeStatement({ id: executionId, attempt, slot, data: await packText(json) });
    return (await this.#db.query(statement)).length === 1;
  }

  /**
   * `undefined`: the execution has been deleted. `lastRun`: whether to read the output of the last
   * node. `slot`: whose response to read.
   */
  async read(
    executionId: ExecutionId,
    { lastRun, slot = starterSlot }: { lastRun: boolean; slot?: number | undefined },
  ): Promise<ResponseProgress | undefined> {
    const values = [executionId, lastRun, slot];
    const statement = { name: 'read-webhook-response', text: progressText, values, byKey: true as const };
    const [row] = await this.#db.query<ProgressRow>(statement);
    return (
      row && {
        status: row.status,
        response: row.response ? await unpackJson<WebhookResponse>(row.response) : undefined,
        lastRun: row.last ? await unpackJson<NodeRun>(row.last) : undefined,
        isSkipped: row.skipped,
      }
    );
  }
}
