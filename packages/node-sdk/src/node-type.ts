import type { JsonObject, NodeOutput } from '@sluice/domain';
import type { ResumeEvent } from './access/workflows.ts';
import type { ConnectionType } from './connection-type.ts';
import type { ExecuteContext } from './context.ts';
import type { NodeProperty, NodeTypeDescription } from './description.ts';
import type { NodeMethods } from './methods.ts';
import type { UnsupportedUse } from './parameters/unsupported-use.ts';
import type { ListenContext, TriggerHandle } from './triggers/listen.ts';
import type { PollContext, PollResult } from './triggers/poll.ts';
import type { ListTriggers } from './triggers/triggers.ts';
import type { WebhookMethods, WebhookRequestContext, WebhookResult } from './triggers/webhook.ts';

/** A node type: its description and behavior. */
export interface NodeType {
  readonly description: NodeTypeDescription;
  /**
   * Parameter values that the type does not support. For importers; `execute` rejects them itself.
   */
  readonly unsupported?: readonly UnsupportedUse[];
  /**
   * A node's outputs, if its version or parameters determine them; otherwise the description's
   * outputs apply. Parameters are unresolved, because outputs must be known before the first run.
   * The error output follows them.
   */
  outputs?(parameters: JsonObject, typeVersion: number): readonly ConnectionType[];
  /**
   * Programmatic nodes. Returns one array of items per output; outputs missing from the array get
   * no items.
   */
  execute?(context: ExecuteContext): Promise<NodeOutput> | NodeOutput;
  /**
   * Resumes a suspended node run with the same items and parameters, and the event. It may suspend
   * again.
   */
  resume?(context: ExecuteContext, event: ResumeEvent): Promise<NodeOutput> | NodeOutput;
  /**
   * Sub-nodes: returns the capability for one item of the requesting node, in the format of
   * the sub-node's first output (`Capabilities`; for `ai_tool`, one tool or a list). `context` is
   * the context of the requesting node's run, with the sub-node's name, parameters, and
   * credentials. Each call of a recorded method (`recordedMethods`) is a node run of the sub-node.
   */
  supply?(context: ExecuteContext, itemIndex: number): unknown;
  /**
   * Types with `usableAsTool`: how the agent tool differs from the node. `properties` follow the
   * type's own, and `execute` replaces its own.
   */
  readonly asTool?: { readonly properties: readonly NodeProperty[] } & Pick<NodeType, 'execute'>;
  /** Triggers: the events that start an active workflow at a node of this type. */
  triggers?: ListTriggers;
  /** Types whose versions have separate implementations: see `defineVersionedNodeType`. */
  readonly versions?: Readonly<Record<number, NodeType>>;
  /**
   * Types with `polling: true`: returns what is new since the last call; `null` or no items if
   * nothing is new. Called while the workflow is active, at the times of the parameter `pollTimes`
   * (`pollTimesProperty`), one call at a time across all workers.
   *
   * The items are the node's output in the execution that they start; items of further outputs
   * start one execution per output. An error is shown at the trigger, and polling resumes after a
   * pause. A manual run calls `execute` or, if absent, this function.
   */
  poll?(context: PollContext): Promise<PollResult>;
  /**
   * Listens while the workflow is active, in one worker at a time. Resolves within a minute, once
   * it listens. An error is shown at the trigger, and `trigger` is called again after a pause. It
   * must abort if `signal` fires before it resolves.
   */
  trigger?(context: ListenContext): Promise<TriggerHandle>;
  /**
   * Types with `webhooks` in their description: handles a request to one of them. Runs in an API
   * process while the caller waits, for at most 30 seconds, and must not block the process. An
   * error returns 500 and is logged. Absent: each request starts an execution with the same
   * item as the webhook node.
   */
  webhook?(context: WebhookRequestContext): Promise<WebhookResult> | WebhookResult;
  /** Methods for editors. */
  readonly methods?: NodeMethods;
  /**
   * Webhook name in the description → its registration at a remote service, on activation and
   * deactivation.
   */
  readonly webhookMethods?: Readonly<Record<string, WebhookMethods>>;
}
