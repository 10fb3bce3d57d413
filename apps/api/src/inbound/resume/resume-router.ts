import type { RequestWait } from '@sluice/db';
import { type RequestHandler, type Response, Router } from 'express';
import { disconnectStalled } from '../../http/response/client-disconnect.ts';
import { countUnread } from '../../http/response/unread-responses.ts';
import { allowOrigin, isPreflight, respondToPreflight } from '../shared/cors.ts';
import { type InboundPorts, inboundRequest } from '../shared/inbound-request.ts';
import { type ResponseReceiver, relayResponse } from '../shared/relay-response.ts';
import { type ResponseFiles, setResponseHead, withRefusals } from '../shared/send-response.ts';
import { resumeAddressOf } from '../shared/upcoming-waits.ts';
import type { ResumeService } from './resume-service.ts';

export interface ResumeRouterOptions extends InboundPorts, ResponseFiles {
  resumes: ResumeService;
}

/**
 * `/webhook-waiting/<execution>/<token>[/<suffix>]` resumes a waiting execution (Contract 7). The
 * address is the key: no API key is required, and pages of all origins may send requests.
 */
export function resumeRouter(options: ResumeRouterOptions): Router {
  const router = Router({ caseSensitive: true });
  router.all('/webhook-waiting/:executionId/:token{/*suffix}', handleRequest(options));
  return router;
}

function handleRequest(options: ResumeRouterOptions): RequestHandler {
  return withRefusals(async (request, response) => {
    const { resumes } = options;
    const address = resumeAddressOf(request);
    const inbound = inboundRequest(request, response, options);
    // Runs before any refusal, so that pages can read the reason and the time to retry.
    allowOrigin(request, response, undefined);
    if (isPreflight(request)) {
      respondToPreflight(request, response, { methods: await resumes.methodsAt(address), allowed: undefined });
      return;
    }
    if (request.method === 'OPTIONS') {
      const { call } = await resumes.waitAt(address, inbound.disconnected);
      response.setHeader('Allow', ['OPTIONS', call.method].toSorted().join(', ')).status(204).end();
      return;
    }
    const wait = await resumes.receive(address, inbound);
    await respond(options, response, wait, inbound.disconnected);
  });
}

async function respond(
  options: ResumeRouterOptions,
  response: Response,
  wait: RequestWait,
  disconnected: AbortSignal,
): Promise<void> {
  const { executionId, call } = wait;
  if (!call.answer) return respondAtOnce(response, call.response);
  const { answer: spec } = call;
  const responseOfWorkflow = (receiver: ResponseReceiver) => options.resumes.responseTo(wait, spec, receiver);
  await relayResponse(options, response, { executionId, spec, disconnected, wait: responseOfWorkflow });
}

function respondAtOnce(response: Response, { status, headers, body, withoutBody }: RequestWait['call']['response']): void {
  setResponseHead(response, { status, headers });
  // A plain message needs no scripts.
  response.setHeader('Content-Security-Policy', 'sandbox');
  if (withoutBody) response.end();
  else if (body === undefined) response.json({ message: 'the workflow continues' });
  else {
    disconnectStalled(response);
    countUnread(response, Buffer.byteLength(body));
    response.type(response.get('content-type') ?? 'text/plain').send(body);
  }
}
