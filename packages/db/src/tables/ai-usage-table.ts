import type { Generated } from 'kysely';

/** AI usage of an execution tree: the top execution and all executions that it called. */
export interface AiUsageTable {
  /** The top execution; it may have been deleted. */
  root_execution_id: string;
  model_calls: number;
  tool_calls: number;
  tokens: number;
  cost: number;
  /** Time of the last change. */
  used_at: Generated<Date>;
}
