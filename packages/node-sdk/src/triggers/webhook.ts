import type { BinaryReference, Item, JsonObject, JsonValue, WebhookResponse } from '@sluice/domain';
import type { BinaryAccess } from '../access/binary.ts';
import type { SharedDataAccess } from '../access/stored-data.ts';
import type { MethodContext } from '../methods.ts';

export type {
  ChatPage,
  FormEnding,
  FormField,
  FormPage,
  FormResponse,
  FormTrigger,
  NodeChunk,
  RequestAuthentication,
  ResponseHeaders,
  ResumeForm,
  WebhookBody,
  WebhookFiles,
  WebhookResponse,
  WebhookResponseSpec,
  WebhookTrigger,
} from '@sluice/domain';

/**
 * Context of one of a type's webhooks (`NodeTypeDescription.webhooks`), for its requests and for
 * its registration at a remote service.
 */
export interface WebhookContext extends MethodContext {
  /** Name of the webhook, such as `default` or `setup`. */
  readonly webhookName: string;
  /**
   * Public URL of a webhook of the node; default: this one. Throws `NodeOperationError` for an
   * unknown name.
   */
  webhookUrl(name?: string): string;
  /**
   * Data of the registration (such as an ID at the service or a shared secret). Changes in place
   * are stored, member by member, after the method succeeds. Deleted with the registration. JSON,
   * at most 64 KB.
   */
  readonly staticData: JsonObject;
}

/** A request whose body is parsed by its content type. */
export interface WebhookRequest {
  /** Upper case. */
  readonly method: string;
  /** Public URL, without the query. */
  readonly url: string;
  /** Path and query as sent, for signatures over the URL. */
  readonly target: string;
  /** IP address of the client, as trusted proxies report it. */
  readonly address: string;
  /** Names in lower case. */
  readonly headers: Readonly<JsonObject>;
  readonly query: Readonly<JsonObject>;
  /** Values of the `:name` segments of the path. */
  readonly params: Readonly<JsonObject>;
  readonly body: JsonValue;
  /** Received files, by form field, or as `data`. An item passes a file on by its reference. */
  readonly binary: Readonly<Record<string, BinaryReference>>;
  /** Raw body, for signatures. */
  readonly rawBody: Uint8Array;
}

/** The user of this service whose API key a request presents. */
export interface RequestingUser {
  readonly id: string;
  readonly email: string;
  /** Whether both the key and the user may run the workflow. */
  readonly mayStart: boolean;
}

/** Argument of `NodeType.webhook`, for one request; invalid after it. */
export interface WebhookRequestContext extends WebhookContext {
  readonly request: WebhookRequest;
  readonly sharedData?: SharedDataAccess | undefined;
  /**
   * The user of an API key that the request presents; `undefined` for an invalid key. Each check is
   * audited, and the key is removed from items, responses and logs. Throws if the database is
   * unavailable. Absent where there are no users.
   */
  identify?(apiKey: string): Promise<RequestingUser | undefined>;
  /**
   * Stores files for the items, kept if the request starts an execution. `open` reads files of the
   * request.
   */
  readonly binary: Pick<BinaryAccess, 'store' | 'open'>;
  /**
   * Responds to the request directly, for a result with `noWebhookResponse`. Only the first
   * response is sent. Its body is text or JSON.
   */
  respond(response: WebhookResponse): void;
}

/** Result of a request. An empty result returns 200 and starts nothing. */
export interface WebhookResult {
  /**
   * Starts an execution with these items as the node's output, by output; only one output may have
   * items. Absent: no execution starts.
   */
  workflowData?: readonly (readonly Item[])[];
  /**
   * The service's ID of the delivery, which is the same in a repeated delivery. Within 24 hours,
   * deliveries to the node with the same ID start one execution. Set it only for verified requests:
   * otherwise a forged request could suppress a later delivery.
   */
  deliveryId?: string;
  /**
   * Responds immediately with status 200: a string as text, any other value as JSON. Absent:
   * `responseMode` applies.
   */
  webhookResponse?: JsonValue;
  /**
   * The response comes from `respond`, within 30 seconds of the request; otherwise it is 200
   * without a body.
   */
  noWebhookResponse?: boolean;
}

/**
 * Registration of one webhook at a remote service. Each method returns whether it succeeded, or
 * whether the webhook exists. Safe to repeat.
 */
export interface WebhookMethods {
  /**
   * Whether the service already sends to this URL for the current parameters. Called before
   * `create`.
   */
  checkExists(context: WebhookContext): Promise<boolean>;
  /**
   * Whether the service has any registration of this URL, even if it is disabled, is for other
   * parameters, or its data is lost. Called before `delete`. Absent: `checkExists` is called
   * instead.
   */
  checkAddress?(context: WebhookContext): Promise<boolean>;
  /** Registers `context.webhookUrl()` at the service. False or an error rejects the activation. */
  create(context: WebhookContext): Promise<boolean>;
  /** Removes the registration. If it returns false or throws, it is retried for a day. */
  delete(context: WebhookContext): Promise<boolean>;
}
