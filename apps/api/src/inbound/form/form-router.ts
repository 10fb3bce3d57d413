import { type JsonObject, starterSlot, ValidationError } from '@sluice/domain';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { endingView, problemView, waitingView } from '../../pages/notice-view.ts';
import { type Page, sendPage } from '../../pages/send-page.ts';
import { MethodNotAllowedError } from '../shared/errors.ts';
import type { InboundPorts } from '../shared/inbound-request.ts';
import type { ResponseFiles } from '../shared/send-response.ts';
import { type ResumeAddress, resumeAddressOf } from '../shared/upcoming-waits.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';
import { formRequest, isJsonRequest, newKey, queryOf } from './form-request.ts';
import type { FormService, ReceiveForm, RejectedForm } from './form-service.ts';
import type { FormStep, FormWait } from './form-step.ts';
import { formView, prefilled } from './form-view.ts';
import type { FormVisits } from './form-visits.ts';
import { receiveForm } from './receive-form.ts';
import { sendFormResponse, sendJsonResponse } from './send-form-response.ts';

export interface FormRouterOptions extends InboundPorts, ResponseFiles {
  forms: FormService;
  visits: FormVisits;
  /** Waits for the response of the workflow, if the client is a program. */
  waiter: WorkflowResponseWaiter;
}

const methods = ['GET', 'HEAD', 'POST'];

/**
 * `/form/<path>` starts active workflows, `/form-test/<path>` workflows under test, and
 * `/form-waiting/<execution>/<token>` resumes executions. GET shows a page, POST submits its form.
 * The routes need no API key: the form's node decides who may use it. `formProblems` handles
 * errors.
 */
export function formRouter(options: FormRouterOptions): Router {
  const router = Router({ caseSensitive: true });
  router.all('/form/*path', allowMethods, handleStart(options, { atTestUrl: false }));
  router.all('/form-test/*path', allowMethods, handleStart(options, { atTestUrl: true }));
  router.all('/form-waiting/:executionId/:token{/*suffix}', allowMethods, handleVisit(options));
  return router;
}

const allowMethods: RequestHandler = ({ method }, _response, next) => {
  if (!methods.includes(method)) throw new MethodNotAllowedError(methods);
  next();
};

/** GET shows the form of a workflow; POST submits it and starts the workflow. */
function handleStart(options: FormRouterOptions, address: { atTestUrl: boolean }): RequestHandler {
  return async (request, response) => {
    if (request.method === 'POST') return start(options, request, response, address);
    const { spec } = await options.forms.show(formRequest(request, response, options), address);
    const values = prefilled(spec.page, queryOf(request));
    sendPage(response, 200, formView(spec.page, newKey(), { values, errors: new Map() }));
  };
}

async function start(
  options: FormRouterOptions,
  request: Request,
  response: Response,
  address: { atTestUrl: boolean },
): Promise<void> {
  const inbound = formRequest(request, response, options);
  const result = await options.forms.submit(inbound, address, formReceiver(request, options));
  if ('errors' in result) return sendRejected(request, response, result);
  const { route, started, key } = result;
  const { spec, workflowId, graphHash, nodeName } = route;
  if (isJsonRequest(request)) {
    const { disconnected } = inbound;
    return sendJsonResponse(options, response, {
      executionId: started.id,
      slot: starterSlot,
      form: spec.response,
      disconnected,
    });
  }
  const isLastPage =
    spec.response.mode === 'onReceived' && !(await options.visits.leadsToForm(workflowId, graphHash, nodeName));
  if (isLastPage) return sendPage(response, 200, endingView(spec.response.ending));
  redirect(response, `${pathUpTo(request, 0)}form-waiting/${started.id}/${key}`);
}

/**
 * GET shows the form that an execution waits for, or the page after it; POST submits the form and
 * resumes the execution.
 */
function handleVisit(options: FormRouterOptions): RequestHandler {
  return async (request, response) => {
    await (request.method === 'POST' ? resume : show)(options, request, response, resumeAddressOf(request));
  };
}

async function show(options: FormRouterOptions, request: Request, response: Response, address: ResumeAddress): Promise<void> {
  const step = await options.visits.show(address, formRequest(request, response, options));
  if (step.at === 'next') return redirect(response, pathOfWait(request, step.wait));
  if (step.at === 'response') {
    const fileOnly = request.query['file'] !== undefined;
    return sendFormResponse(options, response, { executionId: address.executionId, outcome: step.response, fileOnly });
  }
  sendPage(response, ...pageOf(step, queryOf(request)));
}

function pageOf(step: Exclude<FormStep, { at: 'next' | 'response' }>, query: JsonObject): [status: number, page: Page] {
  switch (step.at) {
    case 'form': {
      const { page } = step.wait.call.form;
      return [200, formView(page, newKey(), { values: prefilled(page, query), errors: new Map() })];
    }
    case 'ended':
      return [200, endingView(step.ending)];
    case 'running':
      return [200, waitingView(1)];
    case 'waiting':
      return [200, waitingView(step.seconds)];
    case 'failed':
      return [500, problemView('Not completed', 'Your response was received, but it could not be processed.')];
    case 'closed':
      return [409, problemView('No longer open', 'This form is no longer open.')];
  }
}

async function resume(options: FormRouterOptions, request: Request, response: Response, address: ResumeAddress): Promise<void> {
  const inbound = formRequest(request, response, options);
  const result = await options.visits.submit(address, inbound, formReceiver(request, options));
  if ('errors' in result) return sendRejected(request, response, result);
  if (!isJsonRequest(request)) return redirect(response, request.path.split('/').at(-1) ?? '');
  const { executionId, attempt: slot, call } = result;
  await sendJsonResponse(options, response, {
    executionId,
    slot,
    form: call.form.response,
    disconnected: inbound.disconnected,
  });
}

function formReceiver(request: Request, { limits }: FormRouterOptions): ReceiveForm {
  return (page, into) => receiveForm(request, page, { limits, into });
}

/** Shows the form again, with errors. Throws `ValidationError` if a program sent it. */
function sendRejected(request: Request, response: Response, { page, key, values, errors }: RejectedForm): void {
  if (!isJsonRequest(request)) {
    sendPage(response, 422, formView(page, key, { values, errors }));
    return;
  }
  const issues = [...errors].map(([index, message]) => ({ path: `/${page.fields[index]?.name ?? index}`, message }));
  throw new ValidationError('the form is not filled in correctly', issues);
}

/** The path of a wait, relative to a request for another page of the same execution. */
function pathOfWait(request: Request, { resumeToken, call: { suffix } }: FormWait): string {
  const parts = [resumeToken, ...(suffix?.split('/') ?? [])].map(encodeURIComponent);
  return `${pathUpTo(request, 2)}${parts.join('/')}`;
}

/** The relative path from a request to the folder that has the first `segments` of its path. */
function pathUpTo({ path }: Request, segments: number): string {
  return '../'.repeat(path.split('/').length - 2 - segments);
}

/**
 * Redirects to a relative path: proxies may serve the service below a path. The prefix `./` keeps a
 * path that starts with slashes from being read as a host.
 */
function redirect(response: Response, path: string): void {
  response.status(303).setHeader('Location', `./${path}`).end();
}
