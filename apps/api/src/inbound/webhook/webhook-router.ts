import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository, StartedOnce, WebhookRoute } from '@sluice/db';
import { isAppError, type JsonObject } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { BodyLimits } from '../../http/read-json.ts';
import type { AnonymousLimit } from '../../limits/anonymous-limit.ts';
import type { MissLimit } from '../../limits/miss-limit.ts';
import type { WebhookHandler } from '../../node-invocation/webhook-handler.ts';
import { NoAnswerError, setRefusalHeaders } from '../shared/errors.ts';
import { answerPreflight, isPreflight } from '../shared/preflight.ts';
import { isShort, readBody } from '../shared/read-body.ts';
import { RequestFiles, type RequestFilesOptions } from '../shared/request-files.ts';
import { messageKey, requestKey } from '../shared/request-key.ts';
import { allowOrigin, sendAnswer, sendNoAnswer, sendWorkflowAnswer } from '../shared/send-response.ts';
import { itemOf, type WebhookRequest } from '../shared/webhook-request.ts';
import { AnswerStream } from './answer-stream.ts';
import { startHandled } from './start-handled.ts';
import {
  type AuthorizedRequest,
  allowedAt,
  assertSigned,
  methodsOf,
  routeFor,
  type WebhookBase,
  type WebhookService,
} from './webhook-service.ts';

export interface WebhookRouterOptions {
  webhooks: WebhookService;
  /** Calls that the types of nodes handle themselves. */
  handler: WebhookHandler;
  files: RequestFilesOptions;
  binaries: BinaryRepository;
  store: BinaryStore;
  limits: BodyLimits;
  misses: Pick<MissLimit, 'assertMayGuess'>;
  anonymous: AnonymousLimit;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
}

/**
 * `/webhook/<path>`: calls that start active workflows (Contract 7); `/webhook-test/<path>`: those of workflows that somebody tries out. No API key is asked for: what a call has to bring is the node's to say. A call
 * is judged by its head before its body is read, and its body before anything starts.
 */
export function webhookRouter(options: WebhookRouterOptions): Router {
  const router = Router();
  for (const base of ['webhook', 'webhook-test'] as const) router.all(`/${base}/*path`, handleCall(options, base));
  return router;
}

function handleCall(options: WebhookRouterOptions, base: WebhookBase): RequestHandler {
  return async (request, response) => {
    const call = callOf(request, options);
    const known = base === 'webhook' && isUsual(request, options) ? options.webhooks.knownRoute(call) : undefined;
    if (known && (await explained(response, answerKnown(options, { request, response, call, route: known })))) return;
    const routes = await options.webhooks.listRoutes(call.segments, base);
    if (request.method === 'OPTIONS') {
      await options.anonymous.admit(request, response, routes[0]);
      return answerOptions(request, response, routes);
    }
    const answer = async () => {
      const route = routeFor(call.method, routes);
      allowOrigin(request, response, route.spec.allowedOrigins);
      await answerCall(options, { request, response, call, route });
    };
    await explained(response, answer());
  };
}

/** Tells the caller why there is no answer. */
async function explained<T>(response: Response, answer: Promise<T>): Promise<T | true> {
  try {
    return await answer;
  } catch (error) {
    setRefusalHeaders(error, response);
    if (!(error instanceof NoAnswerError)) throw error;
    sendNoAnswer(error, response);
    return true;
  }
}

/** Whether nothing but its route stands between a call and the start of its execution. */
function isUsual(request: Request, { limits }: WebhookRouterOptions): boolean {
  return request.method !== 'OPTIONS' && request.get('idempotency-key') === undefined && isShort(request, limits);
}

function callOf(request: Request, { publicUrl }: WebhookRouterOptions): WebhookRequest {
  const { path } = request.params as unknown as { path: string | string[] };
  const segments = [path].flat();
  return {
    segments: segments.at(-1) === '' ? segments.slice(0, -1) : segments,
    method: request.method,
    address: request.ip ?? '',
    headers: request.headers,
    query: { ...request.query } as JsonObject,
    url: `${publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`}${request.path}`,
    target: request.originalUrl,
  };
}

function answerOptions(request: Request, response: Response, routes: readonly WebhookRoute[]): void {
  const methods = methodsOf(routes);
  if (isPreflight(request)) {
    const asked = request.get('access-control-request-method');
    const route = routes.find(({ method }) => method === asked) ?? routes[0];
    answerPreflight(request, response, { methods, allowed: route?.spec.allowedOrigins });
  } else response.setHeader('Allow', allowedAt(routes).join(', ')).status(204).end();
}

interface Calling {
  request: Request;
  response: Response;
  call: WebhookRequest;
  route: WebhookRoute;
}

/** False where the route is not there any more, or the body cannot be read: nothing has started, and the long way says what is wrong. */
async function answerKnown(options: WebhookRouterOptions, { request, response, call, route }: Calling): Promise<boolean> {
  const { webhooks, limits, files, anonymous } = options;
  const gone = untilGone(response);
  const refuse = (error: unknown) => {
    allowOrigin(request, response, route.spec.allowedOrigins);
    throw error;
  };
  await anonymous.admit(request, response, route).catch(refuse);
  const read = await readBody(request, { limits, files: route.spec.files, into: new RequestFiles(files) }).catch(
    (error: unknown) => {
      if (!request.complete) throw error;
    },
  );
  if (!read) return false;
  const started = await webhooks.startAt(route, [itemOf(call, route, read, undefined)]).catch(refuse);
  if (!started) return false;
  allowOrigin(request, response, route.spec.allowedOrigins);
  await answerStarted(options, { response, route, started, gone });
  return true;
}

/** Fires when the caller is gone before the answer. */
function untilGone(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

async function answerCall(options: WebhookRouterOptions, { request, response, call, route }: Calling): Promise<void> {
  const { webhooks, misses, anonymous } = options;
  if (route.spec.authentication) misses.assertMayGuess(request, response);
  const { proof, signature } = await webhooks.authorize(route, call);
  await anonymous.admit(request, response, route);
  const key = signature?.idHeader === undefined ? requestKey({ ...call, proof }) : messageKey(call, signature.idHeader);
  const gone = untilGone(response);
  if (route.spec.described?.handled) return answerHandled(options, { request, response, call, route, key }, gone);
  const started = await start(options, { request, response, call, route }, { proof, signature, key });
  await answerStarted(options, { response, route, started, gone });
}

/** The type of the node says what a call starts, and perhaps what it is answered. */
async function answerHandled(
  options: WebhookRouterOptions,
  calling: Calling & { key: string | undefined },
  gone: AbortSignal,
): Promise<void> {
  const { response, route } = calling;
  const { started, answer } = await startHandled(options, calling);
  if (!answer) {
    if (started) await answerStarted(options, { response, route, started, gone });
    return;
  }
  if (started) options.webhooks.letRun(started);
  await sendAnswer(response, answer);
}

interface Answering {
  response: Response;
  route: WebhookRoute;
  started: StartedOnce;
  gone: AbortSignal;
}

async function answerStarted(options: WebhookRouterOptions, { response, route, started, gone }: Answering): Promise<void> {
  const { webhooks } = options;
  const stream = new AnswerStream(response, started.id, route.spec.response);
  try {
    const answer = await webhooks.answer(route, started, { gone, onChunks: (chunks) => stream.take(chunks) });
    if (stream.begun) return stream.end();
    if (!answer) return;
    const headers = { ...route.spec.response.headers, ...answer.headers };
    await sendWorkflowAnswer(options, response, { executionId: started.id, answer: { ...answer, headers } });
  } catch (error) {
    if (!stream.begun) throw error;
    const { code, message } = isAppError(error) ? error : unexpected;
    stream.fail(code, message);
  }
}

/** What a caller is told of a defect once the answer has begun. */
const unexpected = { code: 'INTERNAL_ERROR', message: 'the answer cannot be given' };

/** Reads the body, and starts the execution; or leaves nothing of the files that have come. */
async function start(
  { webhooks, limits, files: storage }: WebhookRouterOptions,
  { request, call, route }: Calling,
  { proof, signature, key }: AuthorizedRequest & { key: string | undefined },
): Promise<StartedOnce> {
  const files = new RequestFiles(storage);
  try {
    let signedAs: string | undefined;
    const check =
      signature &&
      ((body: Uint8Array) => {
        signedAs = assertSigned(signature, call, body);
      });
    const read = await readBody(request, { limits, files: route.spec.files, into: files, ...(check && { check }) });
    const started = await webhooks.start(route, { items: [itemOf(call, route, read, proof)], files, key, signature: signedAs });
    if (started.repeated) await files.discard();
    return started;
  } catch (error) {
    // Where the database does not answer, the execution may be there all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}
