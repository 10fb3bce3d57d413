import type { Generated } from 'kysely';

/** AI usage of a tree of executions: the one at the top, and all that it called. */
export interface AiUsageTable {
  /** The execution at the top; it may have been deleted. */
  root_execution_id: string;
  model_calls: number;
  tool_calls: number;
  tokens: number;
  cost: number;
  /** The last change. */
  used_at: Generated<Date>;
}
