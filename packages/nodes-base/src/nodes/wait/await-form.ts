import type { ExecuteContext } from '@sluice/node-sdk';
import { formPage, formResponse } from '../../shared/form-page.ts';
import { guardChoice } from '../../shared/guards.ts';
import { webhookAuthentication } from '../../shared/webhook-requests.ts';
import { addressSuffix } from './address-suffix.ts';
import { waitLimit } from './wait-limit.ts';

/** Suspends the node run until a user submits its form. */
export function awaitForm(context: ExecuteContext): void {
  const at = waitLimit(context);
  const suffix = addressSuffix(context);
  const kind = guardChoice(context, 'incomingAuthentication', ['none', 'basicAuth'], 'none');
  const authentication = webhookAuthentication(context.node, kind);
  const form = { page: formPage(context, context.typeVersion), response: formResponse(context), isNextPage: false };
  context.suspend({
    kind: 'call',
    call: {
      method: 'POST',
      form,
      ...(suffix !== '' && { suffix }),
      ...(authentication && { authentication }),
      response: { status: 200, headers: {} },
    },
    ...(at !== undefined && { at }),
  });
}
