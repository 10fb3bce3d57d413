import type {
  CredentialUseRepository,
  StartedOnce,
  TestUrlRepository,
  WebhookRoute,
  WebhookRouteRepository,
  WebhookStartRepository,
} from '@sluice/db';
import { type ExecutionId, type Item, isAppError, readMcpMessage, type WebhookResponse } from '@sluice/domain';
import type { ChunkListener, ExecutionRef } from '@sluice/queue';
import type { ExecutionEnqueuer } from '../../executions/execution-enqueuer.ts';
import type { WebhookHandler } from '../../node-invocation/webhook-handler.ts';
import { type Admission, type Entry, entryOfTrigger } from '../shared/admission.ts';
import { deliveryKey, type InboundRequest, itemOf, messageKey, requestKey } from '../shared/inbound-request.ts';
import type { ResponseReceiver } from '../shared/relay-response.ts';
import type { AuthorizedRequest } from '../shared/request-authenticator.ts';
import type { RequestFiles } from '../shared/request-files.ts';
import { defaultResponse, type WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';
import type { McpStreams, StreamedMessage } from './mcp-streams.ts';
import { assertSigned } from './verify-signature.ts';
import { KnownRoutes, noRouteAt, respondingRoute, routeFor, triggerStart, type WebhookBase } from './webhook-routes.ts';

interface WebhookServiceOptions {
  webhookRoutes: WebhookRouteRepository;
  testUrls: Pick<TestUrlRepository, 'find'>;
  webhookStarts: WebhookStartRepository;
  credentialUses: CredentialUseRepository;
  admission: Admission;
  enqueuer: ExecutionEnqueuer;
  waiter: WorkflowResponseWaiter;
  handler: WebhookHandler;
  chunks: Pick<ChunkListener, 'listen'>;
  streams: McpStreams;
}

/** Response to a request that starts no execution, if the node type does not respond. */
const ignoredResponse: WebhookResponse = {
  status: 200,
  headers: {},
  body: { kind: 'json', json: { message: 'Webhook call received' } },
};

export interface WebhookRequest extends InboundRequest {
  /** Lets pages of these origins read the response, also a refusal; absent: all origins. */
  allowOrigins(origins: readonly string[] | undefined): void;
}

/** A received request: it started an execution, its node type responded, or it gets a page. */
export interface ReceivedWebhook {
  route: WebhookRoute;
  started?: StartedOnce;
  /** Sent at once; absent: the response mode of the webhook decides. */
  response?: WebhookResponse;
  /** The response goes into the stream of a session. */
  streamed?: StreamedMessage;
}

interface WebhookStart {
  items: readonly Item[];
  /** Output of the node that the items leave by; default: the output of the method. */
  output?: number;
  files: RequestFiles;
  /** Requests with the same key, delivery, or signature start one execution. */
  key: string | undefined;
  deliveryId?: string;
  signature?: string | undefined;
}

/** A request whose body may be read. */
interface AdmittedRequest extends AuthorizedRequest {
  files: RequestFiles;
  /** To be called once the body is read. */
  reauthenticate(): Promise<void>;
}

/**
 * Starts workflows for requests: find the route → admit → insert and commit → enqueue → respond, or
 * wait for the response.
 */
export class WebhookService {
  readonly #options: WebhookServiceOptions;
  readonly #knownRoutes = new KnownRoutes();

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** Routes of a path for all methods, the most specific first. Throws `NotFoundError`. */
  async listRoutes(segments: readonly string[], base: WebhookBase): Promise<readonly [WebhookRoute, ...WebhookRoute[]]> {
    const { webhookRoutes, testUrls, handler } = this.#options;
    const routes = base === 'webhook' ? await webhookRoutes.find(segments) : await testUrls.find('webhook', segments);
    for (const route of routes) this.#knownRoutes.remember(route);
    const [first, ...others] = routes.length > 0 || base !== 'webhook' ? routes : await handler.listInProgress(segments);
    if (!first) throw noRouteAt(base);
    return [first, ...others];
  }

  /**
   * Resolves after the commit. Throws what `listRoutes`, `Admission.admit` and
   * `WebhookStartRepository.start` throw, and `MethodNotAllowedError`.
   */
  async receive(request: WebhookRequest, base: WebhookBase): Promise<ReceivedWebhook> {
    const knownRoute = base === 'webhook' && isPlain(request) ? this.#knownRoutes.find(request) : undefined;
    const received = knownRoute && (await this.#receiveAtKnown(knownRoute, request));
    if (received) return received;
    const route = routeFor(request.method, await this.listRoutes(request.segments, base));
    request.allowOrigins(route.spec.allowedOrigins);
    return this.#options.admission.admit(request, this.#entryOf(route), async (authorized, files, reauthenticate) => {
      const admitted = { ...authorized, files, reauthenticate };
      if (route.spec.page || route.spec.mcpTransport === 'events') return { route };
      return route.spec.described?.handled
        ? this.#startHandled(route, request, admitted)
        : this.#start(route, request, admitted);
    });
  }

  /**
   * Starts at a remembered route, without looking it up: the statement that starts the execution
   * checks the route. `undefined` if the route has changed or the body is invalid: nothing has
   * started, and the usual way reports the error.
   */
  async #receiveAtKnown(route: WebhookRoute, request: WebhookRequest): Promise<ReceivedWebhook | undefined> {
    const { admission } = this.#options;
    try {
      const started = await admission.admit(request, this.#entryOf(route), async (_, files) => {
        const body = await request.readBody({ files: route.spec.files, into: files }).catch((error: unknown) => {
          if (!request.isComplete()) throw error;
        });
        return body && this.#startAtKnown(route, itemOf(request, route, body, undefined));
      });
      if (!started) return undefined;
      request.allowOrigins(route.spec.allowedOrigins);
      return { route, started };
    } catch (error) {
      request.allowOrigins(route.spec.allowedOrigins);
      throw error;
    }
  }

  async #startAtKnown(route: WebhookRoute, item: Item): Promise<StartedOnce | undefined> {
    this.#assertCanRespond(route);
    const input = { trigger: triggerStart(route, [item]) };
    const started = route.id !== undefined && (await this.#options.webhookStarts.startAt(route.id, { ...route, input }));
    if (!started) this.#knownRoutes.forget(route);
    return started || undefined;
  }

  async #start(
    route: WebhookRoute,
    request: WebhookRequest,
    { proof, signature, files, reauthenticate }: AdmittedRequest,
  ): Promise<ReceivedWebhook> {
    const { mcpTransport } = route.spec;
    const session = mcpTransport === 'messages' ? await this.#options.streams.sessionOf(route, request) : undefined;
    const key = keyOf(request, { proof, signature });
    let signedAs: string | undefined;
    const check =
      signature &&
      ((bytes: Uint8Array) => {
        signedAs = assertSigned(signature, request.headers, bytes);
      });
    const body = await request.readBody({ files: route.spec.files, into: files, ...(check && { check }) });
    await reauthenticate();
    const item = itemOf(request, route, body, proof);
    const message = route.spec.mcp && readMcpMessage(item.json['body'], route.spec.mcp);
    const isRequest = message && 'method' in message;
    const streamed = session !== undefined && { streamed: { session, ...(isRequest && { id: message.id }) } };
    if (message && !isRequest) return { route, response: message, ...streamed };
    const responding = respondingRoute(route, item);
    const started = await this.#insert(responding, { items: [item], files, key, signature: signedAs });
    return { route: responding, ...(started && { started }), ...streamed };
  }

  /** The type of the node decides what the request starts, and can respond itself. */
  async #startHandled(
    route: WebhookRoute,
    request: WebhookRequest,
    { files, reauthenticate, ...authorized }: AdmittedRequest,
  ): Promise<ReceivedWebhook> {
    const key = keyOf(request, authorized);
    let rawBody: Uint8Array = new Uint8Array();
    const check = (bytes: Uint8Array) => {
      rawBody = bytes;
    };
    const body = await request.readBody({ files: route.spec.files, into: files, check });
    await reauthenticate();
    const { start, response } = await this.#options.handler.handle(route, { head: request, ...body, rawBody, files });
    if (!start) await files.discard();
    const started = start && (await this.#insert(route, { ...start, files, key }));
    if (!started) return { route, response: response ?? ignoredResponse };
    if (response) this.#enqueue(route, started);
    return { route, started, ...(response && { response }) };
  }

  /**
   * `undefined` for a repeated delivery whose execution was deleted: the service would send it
   * again if the response were an error.
   */
  async #insert(route: WebhookRoute, start: WebhookStart): Promise<StartedOnce | undefined> {
    this.#assertCanRespond(route);
    const { items, output, files, deliveryId, signature } = start;
    const input = { trigger: triggerStart(route, items, output) };
    const key = deliveryId === undefined ? start.key : deliveryKey(deliveryId);
    const signed = signature === undefined ? {} : { signature };
    try {
      const started = await this.#options.webhookStarts.start({ ...route, input, files: files.stored, key, ...signed });
      if (started.repeated) await files.discard();
      return started;
    } catch (error) {
      const isDeleted = isAppError(error) && error.code === 'IDEMPOTENCY_KEY_EXECUTION_DELETED';
      if (deliveryId === undefined || !isDeleted) throw error;
      await files.discard();
      return undefined;
    }
  }

  /** Throws `UnavailableError` if the response could not be waited for. */
  #assertCanRespond({ spec }: WebhookRoute): void {
    if (spec.response.mode !== 'onReceived') this.#options.enqueuer.assertUp();
  }

  /**
   * Enqueues the execution and resolves to its response; `undefined` if the client disconnects.
   * Throws `NoResponseError`.
   */
  async respond(
    route: WebhookRoute,
    started: StartedOnce,
    { disconnected, onChunks }: ResponseReceiver,
  ): Promise<WebhookResponse | undefined> {
    const { enqueuer, waiter, chunks } = this.#options;
    const { response } = route.spec;
    const { id, repeated } = started;
    if (response.mode !== 'onReceived') {
      const begin = repeated ? undefined : () => enqueuer.enqueue(startOf(route, id));
      const listen = () => chunks.listen(id, onChunks);
      return waiter.waitFor(id, response, {
        ...(begin && { begin }),
        ...(response.mode === 'streaming' && { listen }),
        disconnected,
      });
    }
    this.#enqueue(route, started);
    return defaultResponse(id, response);
  }

  /** Does not wait, and never rejects: the committed execution will run. */
  #enqueue(route: WebhookRoute, { id, repeated }: StartedOnce): void {
    if (!repeated) void this.#options.enqueuer.enqueue(startOf(route, id));
  }

  /**
   * Responds to a message in the stream of its session. Never rejects, and does not block the
   * message's request.
   */
  async respondInStream({ route, started, response, streamed }: ReceivedWebhook): Promise<void> {
    if (!streamed) return;
    const receiver = { disconnected: new AbortController().signal, onChunks: () => {} };
    const waited = async () => response ?? (started && this.respond(route, started, receiver));
    await this.#options.streams.respond(streamed, waited);
  }

  /** Releases every request in flight: the process stops. */
  stopWaiting(): void {
    this.#options.streams.close();
    this.#options.waiter.releaseAll();
  }

  #entryOf(route: WebhookRoute): Entry {
    return { ...entryOfTrigger(route, this.#options.credentialUses), verifiesSignatures: true };
  }
}

/** Whether a request needs only its route to start an execution. */
function isPlain(request: WebhookRequest): boolean {
  return request.method !== 'OPTIONS' && request.headers['idempotency-key'] === undefined && request.isShort();
}

function keyOf(request: WebhookRequest, { proof, signature }: AuthorizedRequest): string | undefined {
  return signature?.idHeader === undefined ? requestKey(request, proof) : messageKey(request, signature.idHeader);
}

function startOf({ workflowId }: WebhookRoute, executionId: ExecutionId): ExecutionRef {
  return { executionId, attempt: 1, workflowId };
}
