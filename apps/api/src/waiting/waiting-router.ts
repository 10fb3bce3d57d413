import type { CallWait } from '@sluice/db';
import { AppError, type JsonObject, type JsonValue } from '@sluice/domain';
import express, { type RequestHandler, type Response, Router } from 'express';
import { type BodyLimits, readJson } from '../http/read-json.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { ResumeService } from './resume-service.ts';

/** Headers of an answer that the server itself decides. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'content-security-policy',
  'date',
  'x-request-id',
]);

/**
 * `/webhook-waiting/<execution>/<token>[/<suffix>]`: calls that waiting executions go on with (decision 7). The address is the key:
 * no API key is asked for. A call is judged before its body is read, and answered after the commit.
 */
export function waitingRouter(resumes: ResumeService, limits: BodyLimits): Router {
  const router = Router();
  router.all('/webhook-waiting/:executionId/:token{/*suffix}', findWait(resumes), ...readBody(limits), resume(resumes));
  return router;
}

function findWait(resumes: ResumeService): RequestHandler {
  return async (request, response, next) => {
    const { executionId = '', token = '', suffix = [] } = request.params as Record<string, string> & { suffix?: string[] };
    const { method, headers, ip: address = '' } = request;
    try {
      const attempt = { executionId, token, suffix: [suffix].flat().join('/'), method, address, headers };
      response.locals['wait'] = await resumes.find(attempt);
    } catch (error) {
      explainRefusal(error, response);
      throw error;
    }
    next();
  };
}

/** JSON, form fields or text; anything else that has a body is refused. */
function readBody(limits: BodyLimits): RequestHandler[] {
  const { limitBytes } = limits;
  return [
    ...readJson(limits, { type: ['json', '+json'], repeatedKeys: 'allowed' }),
    express.urlencoded({ limit: limitBytes, extended: false }),
    express.text({ limit: limitBytes, type: 'text/*' }),
    (request, _response, next) => {
      const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
      if (hasBody && request.body === undefined)
        throw new AppError({ code: 'UNSUPPORTED_MEDIA_TYPE', message: 'the body must be JSON, form fields or text' });
      next();
    },
  ];
}

function resume(resumes: ResumeService): RequestHandler {
  return async (request, response) => {
    const wait = response.locals['wait'] as CallWait;
    const { headers, query, body } = request;
    await resumes.resume(wait, {
      headers: headers as JsonObject,
      params: {},
      query: { ...query } as JsonObject,
      body: (body ?? {}) as JsonValue,
    });
    answer(response, wait.call.response);
  };
}

function answer(response: Response, { status, headers, body, withoutBody }: CallWait['call']['response']): void {
  for (const [name, value] of Object.entries(headers)) if (!ownHeaders.has(name.toLowerCase())) response.setHeader(name, value);
  // What workflows say is shown like a stranger's page: it may run nothing in the name of this origin.
  response.setHeader('Content-Security-Policy', 'sandbox');
  response.status(status);
  if (withoutBody) response.end();
  else if (body === undefined) response.json({ message: 'the workflow goes on' });
  else response.type(response.get('content-type') ?? 'text/plain').send(body);
}
