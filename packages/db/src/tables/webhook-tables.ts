import type { Generated } from 'kysely';

/** A method and a path that start an active workflow; written and deleted with its trigger. */
export interface WebhookRouteTable {
  /** Each activation creates new ids, so a route with a known id is unchanged. */
  id: Generated<string>;
  /** Kind of its trigger: each has its own paths. */
  kind: Generated<'webhook' | 'form'>;
  /** The trigger's path, with `:` for each parameter. */
  pattern: string;
  /** Upper case. */
  method: string;
  /** Index of the node's output that receives the items. */
  output: number;
  has_parameters: boolean;
  /** First segment of the path; never a parameter. */
  head: string;
  /** Number of segments. */
  parts: number;
  trigger_id: string;
}

/** A workflow's response to a request or a form that started or resumed it. */
export interface WebhookResponseTable {
  execution_id: string;
  /**
   * The slot, see `responseSlot`: attempt of the wait that the request ended; 0: the request that
   * started the execution.
   */
  to_wait: Generated<number>;
  /** Encoded `WebhookResponse`, see `codec.ts`. */
  data: Buffer;
  created_at: Generated<Date>;
}

/**
 * An idempotency key of a webhook: a repeated request within 24 hours starts nothing and gets the
 * first response.
 */
export interface WebhookKeyTable {
  workflow_id: string;
  node_name: string;
  key: string;
  /** The execution may have been deleted. */
  execution_id: string;
  created_at: Generated<Date>;
}
