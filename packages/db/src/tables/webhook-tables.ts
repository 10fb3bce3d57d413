import type { Generated } from 'kysely';

/** A method and a path that start an active workflow: written with its trigger, and gone with it. */
export interface WebhookRouteTable {
  /** Each activation gives new ones: a route that is there under its number is as it was found. */
  id: Generated<string>;
  /** Of its trigger: each kind has paths of its own. */
  kind: Generated<'webhook' | 'form'>;
  /** Of the trigger's path, with `:` for each parameter. */
  pattern: string;
  /** Upper case. */
  method: string;
  /** Of the node: its items come out there. */
  output: number;
  has_parameters: boolean;
  /** First part of the path; never a parameter. */
  head: string;
  /** How many there are. */
  parts: number;
  trigger_id: string;
}

/** What a workflow has answered to a call or a form that has started it, or that it has waited for. */
export interface WebhookAnswerTable {
  execution_id: string;
  /** Whose it is, as `answerSlot` says: attempt of the wait that has been ended; 0: of whoever has started the execution. */
  to_wait: Generated<number>;
  /** Encoded `WebhookAnswer`, see `codec.ts`. */
  data: Buffer;
  created_at: Generated<Date>;
}

/** A caller's token that makes a repeated call of a webhook within 24 hours start nothing, and be answered as the first. */
export interface WebhookKeyTable {
  workflow_id: string;
  node_name: string;
  key: string;
  /** May have been deleted. */
  execution_id: string;
  created_at: Generated<Date>;
}
