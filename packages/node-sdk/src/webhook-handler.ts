import type { BinaryReference, Item, JsonObject, JsonValue } from '@sluice/domain';
import type { BinaryAccess } from './binary.ts';
import type { SharedDataAccess } from './context.ts';
import type { MethodContext } from './methods.ts';
import type { WebhookAnswer } from './webhook.ts';

/**
 * What is given to what has to do with one webhook of a type's description (`NodeTypeDescription.webhooks`): its calls, and its registration at a remote
 * service.
 */
export interface WebhookContext extends MethodContext {
  /** Name of the webhook, such as `default` or `setup`. */
  readonly webhookName: string;
  /** The address at which a webhook of the node is called; default: this one. Throws `NodeOperationError` for a name that the description lacks. */
  webhookUrl(name?: string): string;
  /**
   * What the node keeps while it is registered (an id at the service, a shared secret): change it in place, and it is stored once the call has gone
   * well, member by member. Forgotten with the registration. JSON, 64 KB at most.
   */
  readonly staticData: JsonObject;
}

/** A call, its body read and parsed as its content type says. */
export interface WebhookRequest {
  /** Upper case. */
  readonly method: string;
  /** As it was called, without the query. */
  readonly url: string;
  /** Path and query as the caller wrote them, for signatures over the address. */
  readonly target: string;
  /** The IP address of the caller; proxies that are believed taken into account. */
  readonly address: string;
  /** Names in lower case. */
  readonly headers: Readonly<JsonObject>;
  readonly query: Readonly<JsonObject>;
  /** Parts of the path that the description names with `:`. */
  readonly params: Readonly<JsonObject>;
  readonly body: JsonValue;
  /** Files that have come, by the fields of a form, or `data`: put a reference into an item to hand one on. */
  readonly binary: Readonly<Record<string, BinaryReference>>;
  /** The bytes as they came, for signatures. */
  readonly rawBody: Uint8Array;
}

/** A user of the service, by an API key that a call has brought. */
export interface CallingUser {
  readonly id: string;
  readonly email: string;
  /** Whether key and user may run the workflow. */
  readonly mayStart: boolean;
}

/** What `NodeType.webhook` is given. One per call; not to be kept after it. */
export interface WebhookCallContext extends WebhookContext {
  readonly request: WebhookRequest;
  readonly sharedData?: SharedDataAccess | undefined;
  /**
   * Whose API key it is that the call has brought; `undefined`: it is none that is good. Asking is a line of the audit log, and the key is kept out of items,
   * answers and logs. Throws where the database is away. Absent where there are no users.
   */
  identify?(apiKey: string): Promise<CallingUser | undefined>;
  /** Files for the items, beside those that have come: they are kept where the call starts an execution. `open` gives the files of the call. */
  readonly binary: Pick<BinaryAccess, 'store' | 'open'>;
  /**
   * Answers the call by itself: the answer has `noWebhookResponse` then. The first one counts. For anything but status, headers and a body of text or
   * JSON there is no way.
   */
  respond(answer: WebhookAnswer): void;
}

/** What becomes of a call. Without any of these it is answered with 200, and nothing starts. */
export interface WebhookResult {
  /** Starts an execution in which the node gives these items, output by output, at one of them at a time. Absent: none starts. */
  workflowData?: readonly (readonly Item[])[];
  /** Answers the call at once, with status 200: a text as it is, anything else as JSON. Else `responseMode` decides. */
  webhookResponse?: JsonValue;
  /** The call is answered by `respond`, at the end of its half minute at the latest; where it is not, it is answered with 200 and no body then. */
  noWebhookResponse?: boolean;
}

/** Registration of one webhook at a remote service; each says whether it did, or whether it is there. Safe to repeat. */
export interface WebhookMethods {
  /** Whether the service calls this address already, for what the parameters ask. Asked before each of the others. */
  checkExists(context: WebhookContext): Promise<boolean>;
  /** Asks the service to call `context.webhookUrl()`. False, or an error, refuses the activation. */
  create(context: WebhookContext): Promise<boolean>;
  /** Ends that. False, or an error: it is tried again later, for a day. */
  delete(context: WebhookContext): Promise<boolean>;
}
