import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository, StartedOnce, WebhookRoute } from '@sluice/db';
import { isAppError, type JsonObject } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { BodyLimits } from '../http/read-json.ts';
import type { MissLimit } from '../limits/miss-limit.ts';
import type { WebhookHandler } from '../node-calls/webhook-handler.ts';
import { explainRefusal } from '../waiting/explain-refusal.ts';
import { startHandled } from './answer-handled.ts';
import { AnswerStream } from './answer-stream.ts';
import { CallFiles, type CallFilesOptions } from './call-files.ts';
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts';
import { NoAnswerError } from './errors.ts';
import { readBody } from './read-body.ts';
import { sendAnswer } from './send-answer.ts';
import { sendNoAnswer, sendWorkflowAnswer } from './send-workflow-answer.ts';
import { itemOf, type WebhookCall } from './webhook-call.ts';
import {
  assertSigned,
  callKey,
  type JudgedCall,
  methodsOf,
  routeFor,
  type WebhookBase,
  type WebhookService,
} from './webhook-service.ts';

export interface WebhookRouterOptions {
  webhooks: WebhookService;
  /** Calls that the types of nodes handle themselves. */
  handler: WebhookHandler;
  files: CallFilesOptions;
  binaries: BinaryRepository;
  store: BinaryStore;
  limits: BodyLimits;
  misses: Pick<MissLimit, 'assertMayGuess'>;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
}

/**
 * `/webhook/<path>`: calls that start active workflows (decision 7); `/webhook-test/<path>`: those of workflows that somebody tries out. No API key is asked for: what a call has to bring is the node's to say. A call
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
    const routes = await options.webhooks.listRoutes(call.segments, base);
    if (request.method === 'OPTIONS') return answerOptions(request, response, routes);
    try {
      const route = routeFor(call.method, routes);
      allowOrigin(request, response, route.spec.allowedOrigins);
      await answerCall(options, { request, response, call, route });
    } catch (error) {
      explainRefusal(error, response);
      if (!(error instanceof NoAnswerError)) throw error;
      sendNoAnswer(error, response);
    }
  };
}

function callOf(request: Request, { publicUrl }: WebhookRouterOptions): WebhookCall {
  const { path } = request.params as unknown as { path: string | string[] };
  const segments = [path].flat();
  return {
    segments: segments.at(-1) === '' ? segments.slice(0, -1) : segments,
    method: request.method,
    address: request.ip ?? '',
    headers: request.headers,
    query: { ...request.query } as JsonObject,
    url: `${publicUrl ?? `${request.protocol}://${request.headers.host ?? ''}`}${request.path}`,
  };
}

function answerOptions(request: Request, response: Response, routes: readonly WebhookRoute[]): void {
  const methods = methodsOf(routes);
  if (isPreflight(request)) {
    const asked = request.get('access-control-request-method');
    const route = routes.find(({ method }) => method === asked) ?? routes[0];
    answerPreflight(request, response, { methods, allowed: route?.spec.allowedOrigins });
  } else response.setHeader('Allow', methods.join(', ')).status(204).end();
}

interface Calling {
  request: Request;
  response: Response;
  call: WebhookCall;
  route: WebhookRoute;
}

async function answerCall(options: WebhookRouterOptions, { request, response, call, route }: Calling): Promise<void> {
  const { webhooks, misses } = options;
  if (route.spec.authentication) misses.assertMayGuess(request, response);
  const { proof, signature } = await webhooks.judge(route, call);
  const key = callKey(call, signature);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (route.spec.described?.handled) return answerHandled(options, { request, response, call, route }, gone.signal);
  const started = await start(options, { request, response, call, route }, { proof, signature, key });
  await answerStarted(options, { response, route, started, gone: gone.signal });
}

/** The type of the node says what a call starts, and perhaps what it is answered. */
async function answerHandled(options: WebhookRouterOptions, calling: Calling, gone: AbortSignal): Promise<void> {
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
  { request, response, call, route }: Calling,
  { proof, signature, key }: JudgedCall & { key: string | undefined },
): Promise<StartedOnce> {
  const files = new CallFiles(storage);
  try {
    const check = signature && ((body: Uint8Array) => assertSigned(signature, call, body));
    const read = await readBody(request, response, { limits, files: route.spec.files, into: files, ...(check && { check }) });
    const started = await webhooks.start(route, { items: [itemOf(call, route, read, proof)], files, key });
    if (started.repeated) await files.discard();
    return started;
  } catch (error) {
    // Where the database does not answer, the execution may be there all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}
