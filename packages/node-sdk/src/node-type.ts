import type { JsonObject, NodeOutput } from '@sluice/domain';
import type { ConnectionType } from './connection-type.ts';
import type { ExecuteContext } from './context.ts';
import type { NodeTypeDescription } from './description.ts';
import type { ListenContext, TriggerHandle } from './listen.ts';
import type { NodeMethods } from './methods.ts';
import type { PollContext, PollResult } from './poll.ts';
import type { ResumeEvent } from './suspension.ts';
import type { ListTriggers } from './triggers.ts';
import type { UnsupportedUse } from './unsupported-use.ts';
import type { WebhookMethods, WebhookRequestContext, WebhookResult } from './webhook-handler.ts';

/** A node type: its description and what it does. */
export interface NodeType {
  readonly description: NodeTypeDescription;
  /** What its parameters can ask for, and it does not serve. For importers; `execute` refuses it by itself. */
  readonly unsupported?: readonly UnsupportedUse[];
  /**
   * The outputs of a node of this type, where version or parameters decide them; else those of the description count. Parameters are as
   * written, their expressions unresolved: outputs have to be known before the first run. The error output comes after them.
   */
  outputs?(parameters: JsonObject, typeVersion: number): readonly ConnectionType[];
  /** Programmatic nodes. Gives one array of items per output; a shorter answer means that the other outputs got nothing. */
  execute?(context: ExecuteContext): Promise<NodeOutput> | NodeOutput;
  /** Goes on with a node run that was suspended: the same items and parameters, and what has come. It may suspend again. */
  resume?(context: ExecuteContext, event: ResumeEvent): Promise<NodeOutput> | NodeOutput;
  /**
   * Sub-nodes, which have no run of their own: what a node that asks for it is lent. What that is, is between the two types; each type
   * of connection has its own. `context` is that of the node's run, with this node's name, parameters and credentials.
   */
  supply?(context: ExecuteContext): unknown;
  /** Triggers: what makes an active workflow start at a node of this type. */
  triggers?: ListTriggers;
  /** Types whose versions have implementations of their own: see `defineVersionedNodeType`. */
  readonly versions?: Readonly<Record<number, NodeType>>;
  /**
   * Types with `polling: true`: what is new since the last call; `null` or no items: nothing. Called while the workflow is active, as often as the
   * parameter `pollTimes` says (`pollTimesProperty`), one call at a time, whatever the number of workers. The items are what the node gives in the
   * execution that they start; those of further outputs start one each. What it throws is shown at the trigger, and the poll comes again after a pause. In a run by hand, `execute` is called or,
   * where there is none, this.
   */
  poll?(context: PollContext): Promise<PollResult>;
  /**
   * Listens for as long as the workflow is active, in one worker at a time; resolves once it does listen, within a minute. What it throws is shown at the
   * trigger, and it is called anew after a pause. It has to let go when `signal` fires while it is still at it.
   */
  trigger?(context: ListenContext): Promise<TriggerHandle>;
  /**
   * Types with `webhooks` in their description: what becomes of a call of one of them. It runs in an API process, while the caller waits: half a minute
   * at most, and it must not keep the process busy. What it throws is answered with 500, and logged. Absent: each call starts an execution with an item
   * as that of the webhook node.
   */
  webhook?(context: WebhookRequestContext): Promise<WebhookResult> | WebhookResult;
  /** Calls that editors make. */
  readonly methods?: NodeMethods;
  /** Name of a webhook of the description → its registration at a remote service, by activation and deactivation. */
  readonly webhookMethods?: Readonly<Record<string, WebhookMethods>>;
}
