import type { ExecuteContext, RequestSuspension } from '@sluice/node-sdk';
import { formPage } from '../../shared/form-page.ts';
import { waitLimit } from '../wait/wait-limit.ts';

/** Waits for the next page of a form. */
export function pageSuspension(context: ExecuteContext): RequestSuspension {
  const at = waitLimit(context);
  const page = formPage(context, context.typeVersion, 'options.');
  const response = { mode: 'onReceived', ending: { kind: 'text' } } as const;
  return {
    kind: 'call',
    call: { method: 'POST', form: { page, response, isNextPage: true }, response: { status: 200, headers: {} } },
    ...(at !== undefined && { at }),
  };
}
