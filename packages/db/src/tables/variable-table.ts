import type { Generated } from 'kysely';

/** What expressions read as `$vars`: no secrets, since every author of a workflow can. */
export interface VariableTable {
  key: string;
  value: string;
  updated_at: Generated<Date>;
}
