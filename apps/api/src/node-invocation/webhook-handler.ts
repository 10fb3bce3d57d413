import type { CredentialSession } from '@sluice/credentials';
import type {
  CredentialUseRepository,
  GraphCache,
  Registration,
  RegistrationRepository,
  StaticDataRepository,
  WebhookRoute,
} from '@sluice/db';
import {
  type BinaryReference,
  checkedResponse,
  errorMessage,
  globalStaticDataKey,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NotFoundError,
  parseJson,
  stringifyJson,
  untilAborted,
  userKeyed,
  type WebhookResponse,
} from '@sluice/domain';
import type { OpenedNode } from '@sluice/engine';
import type { NodeLogger, SharedDataAccess, WebhookRequestContext, WebhookResult } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import { paramsOf, type RequestHead } from '../inbound/shared/inbound-request.ts';
import type { RequestFiles } from '../inbound/shared/request-files.ts';
import { checkedWebhookResult } from './checked-webhook-result.ts';
import { WebhookFailedError } from './errors.ts';
import type { NodeInvoker } from './node-invoker.ts';
import type { RequestIdentity } from './request-identity.ts';

export interface WebhookHandlerOptions {
  nodes: NodeInvoker;
  graphCache: Pick<GraphCache, 'get'>;
  registrations: RegistrationRepository;
  staticData: Pick<StaticDataRepository, 'read' | 'saveShared'>;
  credentialUses: Pick<CredentialUseRepository, 'findForWorkflow'>;
  identity: Pick<RequestIdentity, 'identify'>;
  /** Public URL of the API; null if unknown. */
  publicUrl: string | null;
  /** Timeout for a type to handle a request, in milliseconds; default 30,000. */
  timeoutMs?: number;
  logger: NodeLogger;
}

/**
 * A webhook whose node type handles its requests. `inProgress`: its registration is in progress, so
 * nothing may start yet.
 */
export interface HandledRoute extends WebhookRoute {
  inProgress?: Registration;
}

/** A request with its body. */
export interface ReadRequest {
  head: RequestHead;
  body: JsonValue;
  binary: Record<string, BinaryReference>;
  rawBody: Uint8Array;
  files: Pick<RequestFiles, 'take' | 'open'>;
}

/** Result of the node type for a request. */
interface HandledRequest {
  /** Absent: starts nothing. */
  start?: { items: readonly Item[]; output: number; deliveryId?: string };
  /** Absent: the response mode of the webhook decides; if nothing starts, a default is sent. */
  response?: WebhookResponse;
}

/** Runs `NodeType.webhook` for requests of webhooks that node types describe and handle. */
export class WebhookHandler {
  readonly #options: WebhookHandlerOptions;

  constructor(options: WebhookHandlerOptions) {
    this.#options = options;
  }

  /**
   * Routes of registrations in progress: services verify an address with a request before they
   * accept it.
   */
  async listInProgress(segments: readonly string[]): Promise<HandledRoute[]> {
    const path = segments.join('/');
    const rows = await this.#options.registrations.listInProgress();
    return rows.flatMap((inProgress) => {
      const { workflow, routes } = inProgress.subject;
      return routes
        .filter((route) => route.path === path)
        .map((route) => ({
          method: route.method,
          workflowId: workflow.id,
          projectId: inProgress.projectId,
          nodeName: inProgress.subject.node.name,
          output: 0,
          graphHash: '',
          inProgress,
          spec: {
            kind: 'webhook' as const,
            methods: [route.method],
            path,
            files: { take: 'all' as const },
            response: { mode: 'onReceived' as const, status: 200, headers: {}, data: 'noData' as const },
            described: { name: route.webhookName, handled: true },
          },
        }));
    });
  }

  /** Throws `WebhookFailedError` for any error of the node, which is logged. */
  async handle(route: HandledRoute, request: ReadRequest): Promise<HandledRequest> {
    const { logger, credentialUses, nodes } = this.#options;
    const { workflowId, nodeName } = route;
    const usedBy = { actor: `workflow:${workflowId}`, userId: null, projectId: null, details: { workflowId } };
    const credentials = nodes.credentialsOf({
      find: async (id) => {
        const credentialUse = await credentialUses.findForWorkflow(id, workflowId);
        return credentialUse && { ...credentialUse, usedBy };
      },
    });
    try {
      return await withoutSecrets(await this.#handle(route, request, credentials), credentials.scrubber);
    } catch (error) {
      const message = credentials.scrubber.scrubText(errorMessage(error));
      logger.error({ workflowId, nodeName, error: message }, 'webhook not handled');
      throw new WebhookFailedError();
    }
  }

  async #handle(route: HandledRoute, request: ReadRequest, credentials: CredentialSession): Promise<HandledRequest> {
    const { nodes, registrations, staticData, identity, timeoutMs = 30_000 } = this.#options;
    const signal = AbortSignal.timeout(timeoutMs);
    const { webhookContext, webhookRegistration } = await nodes.functions();
    const node = await this.#open(route, credentials, signal);
    if (!node.type.webhook) throw new TypeError(`the type ${node.node.type} has no webhook`);
    const name = webhookRegistration(route.spec.described?.name ?? '');
    const { workflowId, nodeName, inProgress } = route;
    const holder = inProgress ?? route;
    const registered = await registrations.find(holder.workflowId, holder.nodeName, name, inProgress?.id);
    const data = structuredClone(registered?.data ?? {});
    const responding = Promise.withResolvers<void>();
    let responded: WebhookResponse | undefined;
    let shared: JsonObject | undefined;
    const sharedData: SharedDataAccess = {
      read: async () => sharedOf(await staticData.read(workflowId)),
      save(next) {
        shared = next;
      },
    };
    const context: WebhookRequestContext = {
      ...webhookContext({ node, name, urls: await this.#urlsOf(route, node), data }),
      request: requestOf(route, request),
      sharedData,
      binary: binaryOf(request.files),
      identify: onceForEach(async (apiKey: string) => {
        const user = await identity.identify(apiKey, { workflowId, address: request.head.address });
        if (user) credentials.hide(apiKey);
        return user;
      }),
      respond: (response) => {
        responded ??= immediateResponse(response);
        responding.resolve();
      },
    };
    const called = nodes.run(credentials, { workflowId, nodeName }, () => node.type.webhook?.(context));
    const result = checkedWebhookResult(await untilAborted(Promise.resolve(called), signal));
    if (result.noWebhookResponse && !responded) await untilAborted(responding.promise, signal).catch(() => undefined);
    if (registered) await registrations.mergeData(registered.id, registered.data, data);
    if (shared && !route.test) await staticData.saveShared(workflowId, await withoutSecrets(shared, credentials.scrubber));
    return handledRequest(route, result, responded);
  }

  async #open(route: HandledRoute, credentials: CredentialSession, signal: AbortSignal): Promise<OpenedNode> {
    const { nodes, graphCache } = this.#options;
    const workflow = { id: route.workflowId, projectId: route.projectId, active: route.test?.active ?? true };
    if (route.inProgress) {
      const { node, workflow: source } = route.inProgress.subject;
      const graph = { name: source.name, nodes: [node], connections: {} };
      return nodes.open({ workflow, graph, node, resolved: node.parameters, credentials, signal });
    }
    const graph = await graphCache.get(route.workflowId, route.graphHash);
    const node = graph.nodes.find(({ name }) => name === route.nodeName);
    if (!node) throw new NotFoundError(`workflow ${route.workflowId} does not exist`);
    return nodes.open({ workflow, graph, node, credentials, signal });
  }

  /** URLs of all webhooks of the node, by name. */
  async #urlsOf(route: HandledRoute, opened: OpenedNode): Promise<Record<string, string>> {
    const { publicUrl, nodes } = this.#options;
    const name = route.spec.described?.name;
    if (publicUrl === null || name === undefined || opened.node.name !== route.nodeName) return {};
    const base = `${publicUrl}/${route.test ? 'webhook-test' : 'webhook'}`;
    const others = (opened.type.description.webhooks ?? []).some((webhook) => webhook.name !== name);
    const paths = others && !route.inProgress ? await (await nodes.functions()).describedPaths(opened) : [];
    const urls = userKeyed([...paths].map(([other, path]) => [other, `${base}/${encodeURI(path)}`] as const));
    return { ...urls, ...route.inProgress?.subject.urls, [name]: `${base}/${encodeURI(route.spec.path)}` };
  }
}

function requestOf({ spec }: HandledRoute, { head, body, binary, rawBody }: ReadRequest): WebhookRequestContext['request'] {
  return {
    method: head.method,
    url: head.url,
    target: head.target,
    address: head.address,
    headers: { ...head.headers } as JsonObject,
    query: head.query,
    params: paramsOf(spec.path, head.segments),
    body,
    binary,
    rawBody,
  };
}

/** Caches results: types repeat the same calls. */
function onceForEach<T>(ask: (text: string) => Promise<T>): (text: string) => Promise<T> {
  const pending = new Map<string, Promise<T>>();
  return (text) => {
    const promise = pending.get(text) ?? ask(text);
    pending.set(text, promise);
    return promise;
  };
}

/** An immediate response has no file: only executions reference files. */
function immediateResponse(response: WebhookResponse): WebhookResponse {
  const { kind } = checkedResponse(response).body;
  if (kind === 'page' || kind === 'file') throw new TypeError('a webhook responds with text, JSON, or bytes');
  return response;
}

function binaryOf(files: ReadRequest['files']): WebhookRequestContext['binary'] {
  return {
    store: (content, file) => files.take(content instanceof Uint8Array ? inOnePiece(content) : content, file),
    open: ({ id }) => files.open(id),
  };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function sharedOf(stored: JsonObject | null): JsonObject {
  const shared = stored?.[globalStaticDataKey];
  return isJsonObject(shared) ? shared : {};
}

/**
 * A copy without the secrets of the opened credentials: clients are unknown, and items are stored.
 */
async function withoutSecrets<T extends object>(data: T, scrubber: SecretScrubber): Promise<T> {
  return (await parseJson(await scrubber.scrubJson(await stringifyJson(data)))) as T;
}

function handledRequest(route: HandledRoute, result: WebhookResult, responded: WebhookResponse | undefined): HandledRequest {
  const { workflowData, webhookResponse, noWebhookResponse, deliveryId } = result;
  const start = workflowData && !route.inProgress ? startOf(workflowData) : undefined;
  if (start && deliveryId !== undefined) start.deliveryId = deliveryId;
  const response = responded ?? responseOf(webhookResponse, noWebhookResponse === true);
  return { ...(start && { start }), ...(response && { response }) };
}

function startOf(outputs: NonNullable<WebhookResult['workflowData']>): NonNullable<HandledRequest['start']> {
  const filled = outputs.flatMap((items, output) => (items.length > 0 ? [{ items, output }] : []));
  if (filled.length > 1) throw new TypeError('a request may produce items at one output only');
  const { items, output } = filled[0] ?? { items: [], output: 0 };
  return { items, output };
}

function responseOf(response: JsonValue | undefined, hasResponded: boolean): WebhookResponse | undefined {
  const ok = { status: 200, headers: {} };
  if (typeof response === 'string') return { ...ok, body: { kind: 'text', text: response } };
  if (response !== undefined) return { ...ok, body: { kind: 'json', json: response } };
  return hasResponded ? { ...ok, body: { kind: 'none' } } : undefined;
}
