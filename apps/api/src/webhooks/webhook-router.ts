import type { BinaryStore } from '@sluice/binary-store';
import type { BinaryRepository, StartedOnce, WebhookRoute } from '@sluice/db';
import { type ExecutionId, isAppError, type JsonObject, type WebhookAnswer } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { toErrorBody } from '../http/error-handler.ts';
import { statusOf } from '../http/error-statuses.ts';
import type { BodyLimits } from '../http/read-json.ts';
import { requestState } from '../http/request-state.ts';
import { explainRefusal } from '../waiting/explain-refusal.ts';
import { CallFiles, type CallFilesOptions } from './call-files.ts';
import { allowOrigin, answerPreflight, isPreflight } from './cors.ts';
import { NoAnswerError } from './errors.ts';
import { readBody } from './read-body.ts';
import { type AnswerFile, sendAnswer } from './send-answer.ts';
import { itemOf, type WebhookCall } from './webhook-call.ts';
import { assertSigned, callKey, type JudgedCall, methodsOf, routeFor, type WebhookService } from './webhook-service.ts';

export interface WebhookRouterOptions {
  webhooks: WebhookService;
  files: CallFilesOptions;
  binaries: BinaryRepository;
  store: BinaryStore;
  limits: BodyLimits;
  /** As callers reach the API; null: nobody knows. */
  publicUrl: string | null;
}

/**
 * `/webhook/<path>`: calls that start active workflows (decision 7). No API key is asked for: what a call has to bring is the node's to say. A call
 * is judged by its head before its body is read, and its body before anything starts.
 */
export function webhookRouter(options: WebhookRouterOptions): Router {
  const router = Router();
  router.all('/webhook/*path', handleCall(options));
  return router;
}

function handleCall(options: WebhookRouterOptions): RequestHandler {
  return async (request, response) => {
    const call = callOf(request, options);
    const routes = await options.webhooks.listRoutes(call.segments);
    if (request.method === 'OPTIONS') return answerOptions(request, response, routes);
    try {
      const route = routeFor(call.method, routes);
      allowOrigin(request, response, route.spec.allowedOrigins);
      await answerCall(options, { request, response, call, route });
    } catch (error) {
      explainRefusal(error, response);
      if (!(error instanceof NoAnswerError)) throw error;
      sendFailure(error, response);
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
  const { webhooks } = options;
  const { proof, signature } = await webhooks.judge(route, call);
  const key = callKey(call, signature);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const started = await start(options, { request, response, call, route }, { proof, signature, key });
  const answer = await webhooks.answer(route, started, gone.signal);
  if (!answer) return;
  const headers = { ...route.spec.response.headers, ...answer.headers };
  await send(options, response, { id: started.id, answer: { ...answer, headers } });
}

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
    const started = await webhooks.start(route, { item: itemOf(call, route.spec, read, proof), files, key });
    if (started.repeated) await files.discard();
    return started;
  } catch (error) {
    // Where the database does not answer, the execution may be there all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}

async function send(
  { binaries, store }: WebhookRouterOptions,
  response: Response,
  { id, answer }: { id: ExecutionId; answer: WebhookAnswer },
): Promise<void> {
  if (answer.body.kind !== 'file') return sendAnswer(response, answer);
  const found = await binaries.findReadable(answer.body.file.id, id);
  if (!found) throw new NoAnswerError('NO_ANSWER', 'the file that is the answer does not exist', id);
  const file: AnswerFile = { mimeType: found.mimeType, size: found.size, open: () => store.open(found.id) };
  await sendAnswer(response, answer, file);
}

/** A failure of the workflow, not of the service: it names the execution, and says nothing of what happened inside. */
function sendFailure(error: NoAnswerError, response: Response): void {
  const { requestId } = requestState(response.req);
  const status = statusOf(error.code) ?? 500;
  if (status === 503) response.setHeader('Retry-After', '2');
  response.status(status).json({ ...toErrorBody(error, requestId), executionId: error.executionId });
}
