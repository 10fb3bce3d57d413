import type { StartedOnce } from '@sluice/db';
import { isAppError, type WebhookAnswer } from '@sluice/domain';
import type { Request, Response } from 'express';
import type { BodyLimits } from '../../http/read-json.ts';
import type { HandledRequest, HandledRoute, ReadRequest, WebhookHandler } from '../../node-invocation/webhook-handler.ts';
import { readBody } from '../shared/read-body.ts';
import { RequestFiles, type RequestFilesOptions } from '../shared/request-files.ts';
import type { WebhookRequest } from '../shared/webhook-request.ts';
import type { WebhookService } from './webhook-service.ts';

interface HandledRequestOptions {
  webhooks: WebhookService;
  handler: WebhookHandler;
  files: RequestFilesOptions;
  limits: BodyLimits;
}

interface Calling {
  request: Request;
  response: Response;
  call: WebhookRequest;
  route: HandledRoute;
  key: string | undefined;
}

/** A call that the type of its node has handled. */
interface HandledStart {
  /** What it has started; absent: nothing. */
  started?: StartedOnce;
  /** What it is answered at once; absent: what the webhook's response mode says. */
  answer?: WebhookAnswer;
}

/** Reads the body of a call, lets the type of its node handle it, and starts what that asks for; or leaves nothing of the files that have come. */
export async function startHandled(
  { webhooks, handler, files: storage, limits }: HandledRequestOptions,
  { request, call, route, key }: Calling,
): Promise<HandledStart> {
  const files = new RequestFiles(storage);
  try {
    const handled = await handler.handle(route, await read(request, { call, limits, files, route }));
    const { start, answer } = handled;
    if (!start) {
      await files.discard();
      return withAnswer(answer);
    }
    const started = await webhooks.start(route, { ...start, files, key });
    if (started.repeated) await files.discard();
    return { started, ...withAnswer(answer) };
  } catch (error) {
    // Where the database does not answer, the execution may be there all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}

async function read(
  request: Request,
  { call, limits, files, route }: Pick<ReadRequest, 'call'> & { limits: BodyLimits; files: RequestFiles; route: HandledRoute },
): Promise<ReadRequest> {
  let rawBody: Uint8Array = new Uint8Array();
  const check = (bytes: Uint8Array) => {
    rawBody = bytes;
  };
  const { body, binary } = await readBody(request, { limits, files: route.spec.files, into: files, check });
  return { call, body, binary, rawBody, files };
}

function withAnswer(answer: HandledRequest['answer']): Pick<HandledStart, 'answer'> {
  return answer ? { answer } : {};
}
