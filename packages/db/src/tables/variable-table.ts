import type { Generated } from 'kysely';

/**
 * Variables that expressions read as `$vars`. Not for secrets: every author of a workflow can read
 * them.
 */
export interface VariableTable {
  key: string;
  value: string;
  updated_at: Generated<Date>;
}
