import type { TriggerSpec } from '@sluice/domain';
import type { Generated } from 'kysely';
import type { WebhookRouteTable } from './webhook-tables.ts';
import type { Json } from './workflow-tables.ts';

/**
 * A manual test of a workflow by a request: its test URLs work until the first request that starts
 * it.
 */
export interface TestUrlTable {
  workflow_id: string;
  /** New each time they are opened. */
  id: Generated<string>;
  /** The graph that runs. */
  graph_hash: string;
  /** The user who opened them and in whose name the execution runs. */
  user_id: string;
  expires_at: Date;
  /**
   * The execution that the request started; it may have been deleted. Null: no request has arrived.
   */
  execution_id: string | null;
}

/**
 * A method and a path below a test URL; the columns of `webhook_routes`, with the trigger's own
 * fields in place of a reference.
 */
export interface TestRouteTable
  extends Pick<WebhookRouteTable, 'pattern' | 'method' | 'output' | 'has_parameters' | 'head' | 'parts'> {
  kind: TriggerSpec['kind'];
  node_name: string;
  spec: Json<TriggerSpec>;
  workflow_id: string;
}
