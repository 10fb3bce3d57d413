import type { CredentialUseRepository, StartedOnce, TestUrls, WebhookRoute, WebhookRoutes, WebhookStarts } from '@sluice/db';
import {
  type ExecutionId,
  ForbiddenError,
  type Item,
  NotFoundError,
  ValidationError,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import { type SignatureRule, signatureRule } from '@sluice/nodes-base/credentials';
import type { ChunkListener, NumberedChunk } from '@sluice/queue';
import type { Delivery } from '../executions/delivery.ts';
import type { WebhookHandler } from '../node-calls/webhook-handler.ts';
import { isAllowedAddress } from '../waiting/allowed-address.ts';
import { type CallAuthenticator, type CallProof, CallUnauthorizedError } from '../waiting/call-authenticator.ts';
import { isBot } from '../waiting/is-bot.ts';
import { MethodNotAllowedError } from '../waiting/resume-service.ts';
import type { CallFiles } from './call-files.ts';
import type { CallWaiter } from './call-waiter.ts';
import { isSigned } from './verify-signature.ts';
import type { WebhookCall } from './webhook-call.ts';

export interface WebhookServiceOptions {
  routes: WebhookRoutes;
  testUrls: Pick<TestUrls, 'find'>;
  starts: WebhookStarts;
  credentials: CredentialUseRepository;
  authenticator: CallAuthenticator;
  delivery: Delivery;
  waiter: CallWaiter;
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
export interface JudgedCall {
  /** What it has shown that it knows; `undefined` where nothing is asked for, or the body is to show it. */
  proof: CallProof | undefined;
  /** The body has to be signed so. */
  signature: SignatureRule | undefined;
}

/** A call that is to start a workflow, and the files that it has brought. */
export interface ReceivedCall {
  items: readonly Item[];
  /** Of the node that they come out of; default: that of the method. */
  output?: number;
  files: CallFiles;
  key: string | undefined;
}

/** How a call takes its answer. */
export interface AnswerTaking {
  /** Fires when nobody waits any more. */
  gone: AbortSignal;
  /** Takes the parts of an answer that streams, before it resolves. */
  onChunks(chunks: readonly NumberedChunk[]): void;
}

/** Starts workflows for HTTP calls: find the route → judge the call → insert and commit → enqueue → answer, or wait for the answer. */
export class WebhookService {
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** The routes of a path, for any method; the closest first. Throws `NotFoundError`. */
  async listRoutes(segments: readonly string[], base: WebhookBase): Promise<readonly [WebhookRoute, ...WebhookRoute[]]> {
    const { routes, testUrls } = this.#options;
    const found = base === 'webhook' ? await routes.find(segments) : await testUrls.find('webhook', segments);
    const [first, ...others] = found.length > 0 || base !== 'webhook' ? found : await this.#options.handler.listBegun(segments);
    if (!first) throw new NotFoundError(nothingAt[base]);
    return [first, ...others];
  }

  /** Throws `ForbiddenError` (from where, or from whom, no call counts) and `UnauthorizedError`. */
  async judge({ workflowId, spec }: WebhookRoute, { address, headers }: WebhookCall): Promise<JudgedCall> {
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
  async start(route: WebhookRoute, { items, output = route.output, files, key }: ReceivedCall): Promise<StartedOnce> {
    const { starts, delivery } = this.#options;
    if (route.spec.response.mode !== 'onReceived') delivery.assertUp();
    const streams = route.spec.response.mode === 'streaming' && { streams: true };
    const input = { trigger: { node: route.nodeName, output, items: [...items], ...streams } };
    return starts.start({ ...route, input, files: files.stored, key });
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
      return waiter.answerOf(id, response, { ...(begin && { begin }), ...(response.mode === 'streaming' && { listen }), gone });
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

/** That of the method; a `HEAD` may be a `GET` whose answer has no body. Throws `MethodNotAllowedError`. */
export function routeFor(method: string, routes: readonly WebhookRoute[]): WebhookRoute {
  const byMethod = (wanted: string) => routes.find((route) => route.method === wanted);
  const route = byMethod(method) ?? (method === 'HEAD' ? byMethod('GET') : undefined);
  if (!route) throw new MethodNotAllowedError(methodsOf(routes).join(', '));
  return route;
}

export function methodsOf(routes: readonly WebhookRoute[]): string[] {
  return [...new Set(routes.map(({ method }) => method))].toSorted();
}

/** Throws `CallUnauthorizedError` unless the body is signed as the rule says. */
export function assertSigned(rule: SignatureRule, { headers }: WebhookCall, body: Uint8Array): void {
  if (!isSigned(rule, headers, body, Date.now())) throw new CallUnauthorizedError();
}

/**
 * The call's own key, marked, so that it is never that of a form's page. Of Standard Webhooks it is the id of the message, whatever else the call says: that is
 * signed, so who repeats a call cannot give it another one. Throws `ValidationError`.
 */
export function callKey({ headers }: Pick<WebhookCall, 'headers'>, signature: SignatureRule | undefined): string | undefined {
  const name = signature?.idHeader ?? 'Idempotency-Key';
  const given = headers[name.toLowerCase()];
  if (given === undefined) return undefined;
  if (typeof given === 'string' && /^[\x20-\x7e]{1,255}$/.test(given)) return `call:${given}`;
  const message = 'must be 1 to 255 printable ASCII characters';
  throw new ValidationError('the request is not valid', [{ path: name, message }]);
}

/** A rule that would let calls through that nobody signed lets none through. */
function ruleOf(data: Parameters<typeof signatureRule>[0]): SignatureRule {
  try {
    return signatureRule(data);
  } catch {
    throw new CallUnauthorizedError();
  }
}

function receivedAnswer({ status, body, withoutBody }: WebhookResponse, executionId: ExecutionId): WebhookAnswer {
  if (withoutBody) return { status, headers: {}, body: { kind: 'none' } };
  if (body !== undefined) return { status, headers: {}, body: { kind: 'text', text: body } };
  return { status, headers: {}, body: { kind: 'json', json: { message: 'Workflow was started', executionId } } };
}
