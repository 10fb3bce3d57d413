import type { FormRoute } from '@sluice/db';
import { starterSlot } from '@sluice/domain';
import type { Request, RequestHandler, Response } from 'express';
import { endingView } from '../../pages/notice-view.ts';
import { sendPage } from '../../pages/send-page.ts';
import { answerProgram } from './answer-program.ts';
import { newKey } from './form-key.ts';
import type { FormPorts } from './form-ports.ts';
import { isJsonRequest, queryOf, visitorOf } from './form-request.ts';
import { formView } from './form-view.ts';
import { prefilled } from './prefilled.ts';
import { takeForm } from './take-form.ts';

/** Shows a form, and starts the workflow when it is sent. `atTestUrl`: the workflow need not be active, and one counts. */
export function handleForm(ports: FormPorts, { atTestUrl }: { atTestUrl: boolean }): RequestHandler {
  return async (request, response) => {
    const { path } = request.params as unknown as { path: string | string[] };
    const segments = [path].flat();
    const parts = segments.at(-1) === '' ? segments.slice(0, -1) : segments;
    const route = await ports.forms.find(parts, { atTestUrl, isSent: request.method === 'POST' });
    if (route.spec.authentication) ports.misses.assertMayGuess(request, response);
    await ports.forms.admit(route, visitorOf(request, ports.publicUrl));
    await ports.anonymous.admit(request, response, route);
    if (request.method === 'POST') return start(ports, { request, response, route });
    const values = prefilled(route.spec.page, queryOf(request));
    sendPage(response, 200, formView(route.spec.page, newKey(), { values, errors: new Map() }));
  };
}

async function start(
  ports: FormPorts,
  { request, response, route }: { request: Request; response: Response; route: FormRoute },
): Promise<void> {
  const { spec, workflowId, graphHash, nodeName } = route;
  const started = await takeForm(ports, { request, response, page: spec.page, take: (form) => ports.forms.start(route, form) });
  if (!started) return;
  if (isJsonRequest(request))
    return answerProgram(ports, response, { executionId: started.id, slot: starterSlot, form: spec.response });
  const isOver = spec.response.mode === 'onReceived' && !(await ports.visits.leadsToForm(workflowId, graphHash, nodeName));
  if (isOver) return sendPage(response, 200, endingView(spec.response.ending));
  response
    .status(303)
    .setHeader('Location', `${toRoot(request)}form-waiting/${started.id}/${started.key}`)
    .end();
}

/** Relative, since proxies may serve this below a path. */
function toRoot({ path }: Request): string {
  return '../'.repeat(path.split('/').length - 2);
}
