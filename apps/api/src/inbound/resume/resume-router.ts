import type { RequestWait } from '@sluice/db';
import type { WebhookAnswer } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { NoAnswerError, setRefusalHeaders } from '../shared/errors.ts';
import { type InboundPorts, inboundRequest } from '../shared/inbound-request.ts';
import { answerPreflight, isPreflight } from '../shared/preflight.ts';
import { type AnswerFiles, allowOrigin, sendNoAnswer, sendWorkflowAnswer, setAnswerHead } from '../shared/send-response.ts';
import type { ResumeAddress, ResumeService } from './resume-service.ts';

export interface ResumeRouterOptions extends InboundPorts, AnswerFiles {
  resumes: ResumeService;
}

/**
 * `/webhook-waiting/<execution>/<token>[/<suffix>]` resumes a waiting execution (decision 7). The
 * address is the key: no API key is required, and pages of all origins may send requests.
 */
export function resumeRouter(options: ResumeRouterOptions): Router {
  const router = Router();
  router.all('/webhook-waiting/:executionId/:token{/*suffix}', handleRequest(options));
  return router;
}

function handleRequest(options: ResumeRouterOptions): RequestHandler {
  return async (request, response) => {
    const { resumes } = options;
    const address = addressOf(request);
    try {
      const inbound = inboundRequest(request, response, options);
      // Before any refusal, so that pages can read the reason, and when to try again.
      allowOrigin(request, response, undefined);
      if (isPreflight(request)) {
        answerPreflight(request, response, { methods: await resumes.methodsAt(address), allowed: undefined });
        return;
      }
      if (request.method === 'OPTIONS') {
        const { call } = await resumes.waitAt(address, inbound.gone);
        response.setHeader('Allow', ['OPTIONS', call.method].toSorted().join(', ')).status(204).end();
        return;
      }
      const wait = await resumes.receive(address, inbound);
      await answer(options, response, wait, inbound.gone);
    } catch (error) {
      setRefusalHeaders(error, response);
      if (!(error instanceof NoAnswerError)) throw error;
      sendNoAnswer(error, response);
    }
  };
}

function addressOf(request: Request): ResumeAddress {
  const { executionId = '', token = '', suffix = [] } = request.params as Record<string, string> & { suffix?: string[] };
  return { executionId, token, suffix: [suffix].flat().join('/') };
}

async function answer(options: ResumeRouterOptions, response: Response, wait: RequestWait, gone: AbortSignal): Promise<void> {
  const { executionId, call } = wait;
  if (!call.answer) return answerAtOnce(response, call.response);
  const given = await options.resumes.answer(wait, call.answer, gone);
  if (!given) return;
  const whole: WebhookAnswer = { ...given, headers: { ...call.answer.headers, ...given.headers } };
  await sendWorkflowAnswer(options, response, { executionId, answer: whole });
}

function answerAtOnce(response: Response, { status, headers, body, withoutBody }: RequestWait['call']['response']): void {
  setAnswerHead(response, { status, headers });
  // A plain message needs no scripts.
  response.setHeader('Content-Security-Policy', 'sandbox');
  if (withoutBody) response.end();
  else if (body === undefined) response.json({ message: 'the workflow continues' });
  else response.type(response.get('content-type') ?? 'text/plain').send(body);
}
