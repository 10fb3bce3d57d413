import type { JsonObject } from '@sluice/domain';
import type { Request, RequestHandler, Response } from 'express';
import { endingView, problemView, waitingView } from '../../pages/notice-view.ts';
import { type Page, sendPage } from '../../pages/send-page.ts';
import { RequestFiles } from '../shared/request-files.ts';
import { answerProgram } from './answer-program.ts';
import { keyOf, newKey } from './form-key.ts';
import type { FormPlace, FormWait } from './form-place.ts';
import type { FormPorts } from './form-ports.ts';
import { isJsonRequest, queryOf, visitorOf } from './form-request.ts';
import { formView } from './form-view.ts';
import type { VisitedAddress } from './form-visits.ts';
import { prefilled } from './prefilled.ts';
import { readSubmission } from './read-submission.ts';
import { sendFormAnswer } from './send-form-answer.ts';
import { takeForm } from './take-form.ts';

interface Visit {
  request: Request;
  response: Response;
  address: VisitedAddress;
}

/** `/form-waiting/<execution>/<token>`: the form that an execution waits for, or what has come after one. */
export function handleVisit(ports: FormPorts): RequestHandler {
  return async (request, response) => {
    const { executionId = '', token = '', suffix = [] } = request.params as Record<string, string> & { suffix?: string[] };
    const visit = { request, response, address: { executionId, token, suffix: [suffix].flat().join('/') } };
    await (request.method === 'POST' ? send(ports, visit) : show(ports, visit));
  };
}

async function show(ports: FormPorts, { request, response, address }: Visit): Promise<void> {
  const place = await ports.visits.look(address, visitorOf(request, ports.publicUrl), untilClosed(response));
  await ports.anonymous.admit(request, response, { executionId: address.executionId });
  if (place.at === 'next') {
    goOn(response, addressOf(request, place.wait));
    return;
  }
  if (place.at === 'answer') {
    const { executionId } = address;
    return sendFormAnswer(ports, response, {
      executionId,
      answer: place.answer,
      fileOnly: request.query['file'] !== undefined,
    });
  }
  sendPage(response, ...viewOf(place, queryOf(request)));
}

/** Fires when nobody waits any more. */
function untilClosed(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  return gone.signal;
}

/** Status and page of what is there. */
function viewOf(place: Exclude<FormPlace, { at: 'next' | 'answer' }>, query: JsonObject): [status: number, page: Page] {
  switch (place.at) {
    case 'form': {
      const { page } = place.wait.call.form;
      return [200, formView(page, newKey(), { values: prefilled(page, query), errors: new Map() })];
    }
    case 'ended':
      return [200, endingView(place.ending)];
    case 'running':
      return [200, waitingView(1)];
    case 'waiting':
      return [200, waitingView(place.seconds)];
    case 'failed':
      return [500, problemView('Not completed', 'Your response was received, but it could not be processed.')];
    case 'closed':
      return [409, problemView('Not open any more', 'This form is not waited for any more.')];
  }
}

async function send(ports: FormPorts, { request, response, address }: Visit): Promise<void> {
  const wait = await ports.visits.find(address, visitorOf(request, ports.publicUrl), untilClosed(response));
  await ports.anonymous.admit(request, response, { workflowId: wait.workflowId, executionId: wait.executionId });
  const { page, response: form } = wait.call.form;
  const sent = wait.open
    ? await takeForm(ports, { request, response, page, take: (submission) => ports.visits.send(wait, submission) })
    : await repeat(ports, wait, { request, response, address });
  if (!sent) return;
  const { executionId, attempt: slot } = wait;
  if (isJsonRequest(request)) return answerProgram(ports, response, { executionId, slot, form });
  goOn(response, request.path.split('/').at(-1) ?? '');
}

/** The form has been sent already: it may have been this page, by a second click or a reload. */
async function repeat({ visits, files, limits }: FormPorts, wait: FormWait, { request }: Visit): Promise<{ repeated: true }> {
  const nothing = { ...wait.call.form.page, fields: [] };
  const { key } = await readSubmission(request, nothing, { limits, into: new RequestFiles(files) });
  return visits.repeat(wait, keyOf(request, key));
}

/** Relative, since proxies may serve this below a path. */
function addressOf({ path }: Request, { resumeToken, call: { suffix } }: FormWait): string {
  const parts = [resumeToken, ...(suffix?.split('/') ?? [])].map(encodeURIComponent);
  return `${'../'.repeat(path.split('/').length - 4)}${parts.join('/')}`;
}

/** `location`: relative, and so that it cannot be taken for one that names a host. */
function goOn(response: Response, location: string): void {
  response.status(303).setHeader('Location', `./${location}`).end();
}
