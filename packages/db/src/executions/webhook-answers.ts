import { type ExecutionId, type ExecutionStatus, type NodeRun, starterSlot, type WebhookAnswer } from '@sluice/domain';
import { packText, unpackJson } from '../codec.ts';
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
INSERT INTO webhook_answers (execution_id, to_wait, data)
SELECT id, $4, $3 FROM executions WHERE id = $1 AND attempt = $2 AND CASE status WHEN 'running' THEN true END
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

/** What workflows answer to the calls and forms that have started them, and to those that they have waited for. By execution id: who asks is who has called. */
export class WebhookAnswers {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The first one of a slot counts: false for every later one, and where the attempt is not the running one (any more). */
  async give({ executionId, attempt }: AttemptRef, answerJson: string, slot = starterSlot): Promise<boolean> {
    const values = [executionId, attempt, await packText(answerJson), slot];
    return (await this.#db.query({ name: 'give-webhook-answer', text: giveText, values, byKey: true })).length === 1;
  }

  /**
   * `undefined`: the execution has been deleted. `lastRun`: whether what the last node gave is asked for. `slot`: whose answer it is.
   */
  async read(
    executionId: ExecutionId,
    { lastRun, slot = starterSlot }: { lastRun: boolean; slot?: number | undefined },
  ): Promise<CallProgress | undefined> {
    const values = [executionId, lastRun, slot];
    const statement = { name: 'read-webhook-answer', text: progressText, values, byKey: true as const };
    const [row] = await this.#db.query<ProgressRow>(statement);
    return (
      row && {
        status: row.status,
        answer: row.answer ? await unpackJson<WebhookAnswer>(row.answer) : undefined,
        lastRun: row.last ? await unpackJson<NodeRun>(row.last) : undefined,
      }
    );
  }
}
