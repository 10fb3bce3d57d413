import type { AiCounts, ExecutionId } from '@sluice/domain';
import type { Kysely } from 'kysely';
import { compiled } from '../../statements/compiled.ts';
import { statement, value } from '../../statements/statement.ts';
import { type RepeatedWrite, writeOnce } from '../../statements/write-once.ts';
import type { Tables } from '../../tables/tables.ts';

const number = value<number>('float8');

const addStatement = statement({
  name: 'add-ai-use',
  parameters: {
    id: value<ExecutionId>('bigint'),
    modelCalls: number,
    toolCalls: number,
    tokens: number,
    cost: number,
    modelCallsBefore: number,
    toolCallsBefore: number,
    tokensBefore: number,
    costBefore: number,
  },
  text: (use) => `
INSERT INTO ai_usages AS u (root_execution_id, model_calls, tool_calls, tokens, cost)
SELECT coalesce(e.root_execution_id, e.id), ${use.modelCallsBefore} + ${use.modelCalls}, ${use.toolCallsBefore} + ${use.toolCalls},
  ${use.tokensBefore} + ${use.tokens}, ${use.costBefore} + ${use.cost}
FROM executions e WHERE e.id = ${use.id}
ON CONFLICT (root_execution_id) DO UPDATE SET model_calls = u.model_calls + ${use.modelCalls}, tool_calls = u.tool_calls + ${use.toolCalls},
  tokens = u.tokens + ${use.tokens}, cost = u.cost + ${use.cost}, used_at = now()
RETURNING model_calls AS "modelCalls", tool_calls AS "toolCalls", tokens, cost`,
});

/**
 * Counts the usage of AI nodes per execution tree: the execution that a trigger or a user started,
 * and all executions that it called, directly or indirectly, whether it waits for them or not.
 */
export class AiUsageRepository {
  readonly #db: Kysely<Tables>;

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /**
   * Resolves to the total usage of the execution's tree, including `added`. `before`: its usage if
   * nothing has been counted for it yet. `undefined`: the execution has been deleted. A caller that
   * repeats a call passes the same `write`, so that the usage counts once.
   */
  async add(
    id: ExecutionId,
    added: AiCounts,
    before: AiCounts,
    write: RepeatedWrite<AiCounts | undefined> = {},
  ): Promise<AiCounts | undefined> {
    const { modelCalls: modelCallsBefore, toolCalls: toolCallsBefore, tokens: tokensBefore, cost: costBefore } = before;
    const earlier = { modelCallsBefore, toolCallsBefore, tokensBefore, costBefore };
    const add = compiled<AiCounts>(addStatement({ id, ...added, ...earlier }));
    return writeOnce(this.#db, write, async (tx) => (await tx.executeQuery(add)).rows[0]);
  }
}
