import type { TriggerSpec } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { Json } from './workflow-tables.ts';

/** Somebody tries a workflow out by calling it: its test URLs work until the first call that starts it. */
export interface TestUrlTable {
  workflow_id: string;
  /** Another one each time they are opened. */
  id: Generated<string>;
  /** What runs. */
  graph_hash: string;
  /** Who has opened them; the execution is theirs. */
  user_id: string;
  expires_at: Date;
  /** What the call has started; it may have been deleted. Null: no call has come. */
  execution_id: string | null;
}

/** A method and a path below a test URL; the columns of `webhook_routes`, with the trigger's own in place of a reference. */
export interface TestRouteTable {
  kind: TriggerSpec['kind'];
  pattern: string;
  method: string;
  output: number;
  has_parameters: boolean;
  head: string;
  parts: number;
  node_name: string;
  spec: Json<TriggerSpec>;
  workflow_id: string;
}
