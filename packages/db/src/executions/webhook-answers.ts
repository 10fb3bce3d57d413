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

// Whom a node answers is who has called last, and waits for such an answer.
const giveText = `
INSERT INTO webhook_answers (execution_id, to_wait, data)
SELECT id, coalesce((SELECT max(w.attempt) FROM execution_waits w WHERE w.execution_id = $1 AND w.event IS NOT NULL
  AND w.call->'answer'->>'mode' = 'responseNode'), 0), $3
FROM executions WHERE id = $1 AND attempt = $2 AND CASE status WHEN 'running' THEN true END
ON CONFLICT DO NOTHING RETURNING execution_id`;

const progressText = `
SELECT e.status, a.data AS answer, CASE WHEN $2 AND e.status = 'success' THEN
  (SELECT data FROM node_runs n WHERE n.execution_id = e.id ORDER BY seq DESC LIMIT 1) END AS last
FROM executions e LEFT JOIN webhook_answers a ON a.execution_id = e.id AND a.to_wait = $3 WHERE e.id = $1`;

interface ProgressRow {
  status: ExecutionStatus;
  answer: Buffer | null;
  last: Buffer | null;
  [column: string]: unknown;
}

/** What workflows answer to the calls that have started them, and to those that they have waited for. By execution id: who asks is who has called. */
export class WebhookAnswers {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The first one counts: false for every later one, and where the attempt is not the running one (any more). */
  async give({ executionId, attempt }: AttemptRef, answerJson: string): Promise<boolean> {
    const values = [executionId, attempt, encodeText(answerJson)];
    return (await this.#db.query({ name: 'give-webhook-answer', text: giveText, values, byKey: true })).length === 1;
  }

  /**
   * `undefined`: the execution has been deleted. `lastRun`: whether what the last node gave is asked for. `toWait`: attempt of the wait that the
   * call has ended; absent: it has started the execution.
   */
  async read(
    executionId: ExecutionId,
    { lastRun, toWait = 0 }: { lastRun: boolean; toWait?: number | undefined },
  ): Promise<CallProgress | undefined> {
    const values = [executionId, lastRun, toWait];
    const statement = { name: 'read-webhook-answer', text: progressText, values, byKey: true as const };
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
