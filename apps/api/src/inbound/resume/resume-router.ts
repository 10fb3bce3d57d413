import type { CallWait } from '@sluice/db';
import { isAppError, type JsonObject, type WebhookAnswer } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { BodyLimits } from '../../http/read-json.ts';
import type { AnonymousLimit } from '../../limits/anonymous-limit.ts';
import { NoAnswerError, setRefusalHeaders } from '../shared/errors.ts';
import { answerPreflight, isPreflight } from '../shared/preflight.ts';
import { readBody } from '../shared/read-body.ts';
import { RequestFiles, type RequestFilesOptions } from '../shared/request-files.ts';
import { type AnswerFiles, allowOrigin, sendNoAnswer, sendWorkflowAnswer, setAnswerHead } from '../shared/send-response.ts';
import { shownHead } from '../shared/webhook-request.ts';
import type { AuthorizedResume, ResumeAddress, ResumeService } from './resume-service.ts';

interface ResumeRouterOptions extends AnswerFiles {
  resumes: ResumeService;
  files: RequestFilesOptions;
  limits: BodyLimits;
  anonymous: AnonymousLimit;
}

/**
 * `/webhook-waiting/<execution>/<token>[/<suffix>]`: calls that waiting executions go on with (Contract 7). The address is the key:
 * no API key is asked for, and pages of all origins may call it. A call is judged before its body is read, and answered after the commit, or with what the workflow says then.
 */
export function resumeRouter(options: ResumeRouterOptions): Router {
  const router = Router();
  router.all('/webhook-waiting/:executionId/:token{/*suffix}', handleCall(options));
  return router;
}

function handleCall(options: ResumeRouterOptions): RequestHandler {
  return async (request, response) => {
    try {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      // First of all, so that pages learn why they are refused, and whether to call again.
      allowOrigin(request, response, undefined);
      if (isPreflight(request)) {
        const methods = await options.resumes.methodsAt(addressOf(request));
        answerPreflight(request, response, { methods, allowed: undefined });
        return;
      }
      if (request.method === 'OPTIONS') {
        const { call } = await options.resumes.waitAt(addressOf(request), gone.signal);
        response.setHeader('Allow', ['OPTIONS', call.method].toSorted().join(', ')).status(204).end();
        return;
      }
      const judged = await findWait(options.resumes, request, gone.signal);
      await options.anonymous.admit(request, response, calledBy(judged.wait));
      await resume(options, request, judged);
      await answer(options, response, judged.wait, gone.signal);
    } catch (error) {
      setRefusalHeaders(error, response);
      if (!(error instanceof NoAnswerError)) throw error;
      sendNoAnswer(error, response);
    }
  };
}

function calledBy({ workflowId, executionId }: CallWait): { workflowId: string; executionId: string } {
  return { workflowId, executionId };
}

function addressOf(request: Request): ResumeAddress {
  const { executionId = '', token = '', suffix = [] } = request.params as Record<string, string> & { suffix?: string[] };
  return { executionId, token, suffix: [suffix].flat().join('/') };
}

function findWait(resumes: ResumeService, request: Request, gone: AbortSignal): Promise<AuthorizedResume> {
  const { method, headers, ip: address = '' } = request;
  return resumes.find({ ...addressOf(request), method, address, headers }, gone);
}

/** Reads the body, and makes the execution go on; or leaves nothing of the files that have come. */
async function resume(
  { resumes, files: storage, limits }: ResumeRouterOptions,
  request: Request,
  { wait, proof }: AuthorizedResume,
): Promise<void> {
  const files = new RequestFiles(storage);
  try {
    const taken = wait.call.files ?? { take: 'none' };
    const { body, binary } = await readBody(request, { limits, files: taken, into: files });
    const received = {
      ...shownHead(request.headers, proof),
      params: {},
      query: { ...request.query } as JsonObject,
      body,
      ...(Object.keys(binary).length > 0 && { binary }),
    };
    await resumes.resume(wait, received, files.stored);
  } catch (error) {
    // Where the database does not answer, it may have gone on all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}

async function answer(options: ResumeRouterOptions, response: Response, wait: CallWait, gone: AbortSignal): Promise<void> {
  const { executionId, call } = wait;
  if (!call.answer) return answerAtOnce(response, call.response);
  const given = await options.resumes.answer(wait, call.answer, gone);
  if (!given) return;
  const whole: WebhookAnswer = { ...given, headers: { ...call.answer.headers, ...given.headers } };
  await sendWorkflowAnswer(options, response, { executionId, answer: whole });
}

function answerAtOnce(response: Response, { status, headers, body, withoutBody }: CallWait['call']['response']): void {
  setAnswerHead(response, { status, headers });
  // There is nothing to be run in what is no more than a message.
  response.setHeader('Content-Security-Policy', 'sandbox');
  if (withoutBody) response.end();
  else if (body === undefined) response.json({ message: 'the workflow goes on' });
  else response.type(response.get('content-type') ?? 'text/plain').send(body);
}
