import type { ExecutionId, ExecutionStatus, NodeRun, WebhookAnswer } from '@sluice/domain';
import { decodeJson, encodeText } from '../codec.ts';
import type { Database } from '../database.ts';
import type { AttemptRef } from './execution-recorder.ts';

/** How far the execution is that a call waits for. */
export interface CallProgress {
  status: ExecutionStatus;
  answer: WebhookAnswer | undefined;
  /** Of those of its nodes, the run that ended last, once it has ended well. */
  lastRun: NodeRun | undefined;
}

const giveText = `
INSERT INTO webhook_answers (execution_id, data)
SELECT id, $3 FROM executions WHERE id = $1 AND attempt = $2 AND status = 'running'
ON CONFLICT DO NOTHING RETURNING execution_id`;

const progressText = `
SELECT e.status, a.data AS answer, CASE WHEN $2 AND e.status = 'success' THEN
  (SELECT data FROM node_runs n WHERE n.execution_id = e.id ORDER BY seq DESC LIMIT 1) END AS last
FROM executions e LEFT JOIN webhook_answers a ON a.execution_id = e.id WHERE e.id = $1`;

interface ProgressRow {
  status: ExecutionStatus;
  answer: Buffer | null;
  last: Buffer | null;
  [column: string]: unknown;
}

/** What workflows answer to the calls that have started them. By execution id: who asks is who has called. */
export class WebhookAnswers {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The first one counts: false for every later one, and where the attempt is not the running one (any more). */
  async give({ executionId, attempt }: AttemptRef, answerJson: string): Promise<boolean> {
    const values = [executionId, attempt, encodeText(answerJson)];
    return (await this.#db.query({ name: 'give-webhook-answer', text: giveText, values })).length === 1;
  }

  /** `undefined`: the execution has been deleted. `lastRun`: whether what the last node gave is asked for. */
  async read(executionId: ExecutionId, { lastRun }: { lastRun: boolean }): Promise<CallProgress | undefined> {
    const statement = { name: 'read-webhook-answer', text: progressText, values: [executionId, lastRun] };
    const [row] = await this.#db.query<ProgressRow>(statement);
    return (
      row && {
        status: row.status,
        answer: row.answer ? decodeJson<WebhookAnswer>(row.answer) : undefined,
        lastRun: row.last ? decodeJson<NodeRun>(row.last) : undefined,
      }
    );
  }
}
