import type { CredentialUseRepository, StartedOnce, TestUrls, WebhookRoute, WebhookRoutes, WebhookStarts } from '@sluice/db';
import {
  type ExecutionId,
  ForbiddenError,
  type Item,
  NotFoundError,
  type TriggerStart,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import { type SignatureRule, signatureRule } from '@sluice/nodes-base/credentials';
import type { ChunkListener, NumberedChunk } from '@sluice/queue';
import type { Delivery } from '../../executions/delivery.ts';
import type { WebhookHandler } from '../../node-invocation/webhook-handler.ts';
import { isAllowedAddress } from '../shared/allowed-address.ts';
import { MethodNotAllowedError, UnauthorizedRequestError } from '../shared/errors.ts';
import { isBot } from '../shared/is-bot.ts';
import type { CredentialProof, RequestAuthenticator } from '../shared/request-authenticator.ts';
import type { RequestFiles } from '../shared/request-files.ts';
import type { WebhookRequest } from '../shared/webhook-request.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';
import { KnownRoutes } from './known-routes.ts';
import { verifySignature } from './verify-signature.ts';

interface WebhookServiceOptions {
  routes: WebhookRoutes;
  testUrls: Pick<TestUrls, 'find'>;
  starts: WebhookStarts;
  credentials: CredentialUseRepository;
  authenticator: RequestAuthenticator;
  delivery: Delivery;
  waiter: WorkflowResponseWaiter;
  handler: Pick<WebhookHandler, 'listBegun'>;
  chunks: Pick<ChunkListener, 'listen'>;
}

/** What the address of a call begins with: that of active workflows, or that at which somebody tries one out. */
export type WebhookBase = 'webhook' | 'webhook-test';

const nothingAt: Readonly<Record<WebhookBase, string>> = {
  webhook: 'no active workflow is called at this address',
  'webhook-test':
    'no test URL is open at this address: open it with POST /api/v1/workflows/<id>/test-urls, then call it once within two minutes',
};

/** A call that may be, as far as its head tells. */
export interface AuthorizedRequest {
  /** What it has shown that it knows; `undefined` where nothing is asked for, or the body is to show it. */
  proof: CredentialProof | undefined;
  /** The body has to be signed so. */
  signature: SignatureRule | undefined;
}

/** A call that is to start a workflow, and the files that it has brought. */
export interface WebhookStart {
  items: readonly Item[];
  /** Of the node that they come out of; default: that of the method. */
  output?: number;
  files: RequestFiles;
  key: string | undefined;
  /** A second key: of a call that is signed. */
  signature?: string | undefined;
}

/** How a call takes its answer. */
interface AnswerTaking {
  /** Fires when nobody waits any more. */
  gone: AbortSignal;
  /** Takes the parts of an answer that streams, before it resolves. */
  onChunks(chunks: readonly NumberedChunk[]): void;
}

/** Starts workflows for HTTP calls: find the route → authorize the call → insert and commit → enqueue → answer, or wait for the answer. */
export class WebhookService {
  readonly #options: WebhookServiceOptions;
  readonly #known = new KnownRoutes();

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** The routes of a path, for any method; the closest first. Throws `NotFoundError`. */
  async listRoutes(segments: readonly string[], base: WebhookBase): Promise<readonly [WebhookRoute, ...WebhookRoute[]]> {
    const { routes, testUrls } = this.#options;
    const found = base === 'webhook' ? await routes.find(segments) : await testUrls.find('webhook', segments);
    for (const route of found) this.#known.remember(route);
    const [first, ...others] = found.length > 0 || base !== 'webhook' ? found : await this.#options.handler.listBegun(segments);
    if (!first) throw new NotFoundError(nothingAt[base]);
    return [first, ...others];
  }

  /** Throws `ForbiddenError` (from where, or from whom, no call counts) and `UnauthorizedError`. */
  async authorize({ workflowId, spec }: WebhookRoute, { address, headers }: WebhookRequest): Promise<AuthorizedRequest> {
    if (!isAllowedAddress(address, spec.allowedAddresses)) throw new ForbiddenError('calls from this address do not count');
    if (spec.ignoresBots && isBot(headers['user-agent'])) throw new ForbiddenError('calls of programs do not count');
    if (!spec.authentication) return { proof: undefined, signature: undefined };
    const { credentials, authenticator } = this.#options;
    const credential = await credentials.findForWorkflow(spec.authentication.credentialId, workflowId);
    if (spec.authentication.type !== 'webhookSignature')
      return { proof: await authenticator.check(spec.authentication, credential, headers), signature: undefined };
    return { proof: undefined, signature: ruleOf(authenticator.open(spec.authentication, credential)) };
  }

  /** Resolves after the commit. Throws what `WebhookStarts.start` throws, and `UnavailableError` where an answer could not be waited for. */
  async start(
    route: WebhookRoute,
    { items, output = route.output, files, key, signature }: WebhookStart,
  ): Promise<StartedOnce> {
    this.#assertAnswerable(route);
    const input = { trigger: triggerStart(route, items, output) };
    return this.#options.starts.start({ ...route, input, files: files.stored, key, ...(signature && { signature }) });
  }

  /** The route that such a call has come to before, where it may be tried by `startAt`. */
  knownRoute(call: WebhookRequest): WebhookRoute | undefined {
    return this.#known.find(call);
  }

  /** As `start`, at a route that was known; `undefined` where it is not there any more. Then nothing has started. */
  async startAt(route: WebhookRoute, items: readonly Item[]): Promise<StartedOnce | undefined> {
    this.#assertAnswerable(route);
    const started =
      route.id !== undefined &&
      (await this.#options.starts.startAt(route.id, {
        ...route,
        input: { trigger: triggerStart(route, items, route.output) },
      }));
    if (started) return started;
    this.#known.forget(route);
    return undefined;
  }

  #assertAnswerable({ spec }: WebhookRoute): void {
    if (spec.response.mode !== 'onReceived') this.#options.delivery.assertUp();
  }

  /** Lets the execution run, and resolves to the answer; `undefined` where nobody waits for it any more. Throws `NoAnswerError`. */
  async answer(
    { spec: { response } }: WebhookRoute,
    { id, repeated }: StartedOnce,
    { gone, onChunks }: AnswerTaking,
  ): Promise<WebhookAnswer | undefined> {
    const { delivery, waiter, chunks } = this.#options;
    const begin = repeated ? undefined : () => delivery.enqueue({ executionId: id, attempt: 1 });
    if (response.mode !== 'onReceived') {
      const listen = () => chunks.listen(id, onChunks);
      return waiter.waitFor(id, response, { ...(begin && { begin }), ...(response.mode === 'streaming' && { listen }), gone });
    }
    void begin?.(); // never rejects, and nobody has to wait for it: what is committed will run
    return receivedAnswer(response, id);
  }

  /** Lets an execution run whose call is answered already. */
  letRun({ id, repeated }: StartedOnce): void {
    if (!repeated) void this.#options.delivery.enqueue({ executionId: id, attempt: 1 }); // never rejects
  }

  /** Lets every caller go: the process stops. */
  stopWaiting(): void {
    this.#options.waiter.releaseAll();
  }
}

/** The trigger that an execution begins at, and how its call is answered. */
function triggerStart({ nodeName, spec }: WebhookRoute, items: readonly Item[], output: number): TriggerStart {
  const { mode } = spec.response;
  const taking = { ...(mode === 'streaming' && { streams: true }), ...(mode === 'lastNode' && { awaitsLast: true }) };
  return { node: nodeName, output, items: [...items], ...taking };
}

/**
 * That of the method. A `HEAD` is not taken for a `GET`: what previews links and watches addresses sends it and expects that nothing happens, and a call
 * starts a workflow. Throws `MethodNotAllowedError`.
 */
export function routeFor(method: string, routes: readonly WebhookRoute[]): WebhookRoute {
  const route = routes.find((one) => one.method === method);
  if (!route) throw new MethodNotAllowedError(allowedAt(routes));
  return route;
}

/** What an address answers to; `OPTIONS` says so itself, and is the preflight of browsers. */
export function allowedAt(routes: readonly WebhookRoute[]): string[] {
  return ['OPTIONS', ...methodsOf(routes)].toSorted();
}

export function methodsOf(routes: readonly WebhookRoute[]): string[] {
  return [...new Set(routes.map(({ method }) => method))].toSorted();
}

/**
 * What a call that is signed as the rule says counts once by, if the signature says when it was made: who has overheard it cannot make it count again. Throws
 * `UnauthorizedRequestError` for any other call.
 */
export function assertSigned(rule: SignatureRule, { headers }: WebhookRequest, body: Uint8Array): string | undefined {
  const signature = verifySignature(rule, headers, body, Date.now());
  if (signature === undefined) throw new UnauthorizedRequestError();
  return rule.timestampHeader === undefined ? undefined : `signed:${signature}`;
}

/** A rule that would let calls through that nobody signed lets none through. */
function ruleOf(data: Parameters<typeof signatureRule>[0]): SignatureRule {
  try {
    return signatureRule(data);
  } catch {
    throw new UnauthorizedRequestError();
  }
}

function receivedAnswer({ status, body, withoutBody }: WebhookResponse, executionId: ExecutionId): WebhookAnswer {
  if (withoutBody) return { status, headers: {}, body: { kind: 'none' } };
  if (body !== undefined) return { status, headers: {}, body: { kind: 'text', text: body } };
  return { status, headers: {}, body: { kind: 'json', json: { message: 'Workflow was started', executionId } } };
}
