import type { ExecuteContext } from '@sluice/node-sdk';
import { formPage, formResponse } from '../../shared/form-page.ts';
import { choiceParameter, textParameter } from '../../shared/parameters.ts';
import { withoutOuterSlashes } from '../../shared/slashes.ts';
import { callAuthentication } from '../../shared/webhook-calls.ts';
import { waitLimit } from './wait-limit.ts';

/** Suspends the node run until somebody sends its form. */
export function awaitForm(context: ExecuteContext): void {
  const at = waitLimit(context);
  const suffix = withoutOuterSlashes(textParameter(context, 'options.webhookSuffix', 0));
  const kind = choiceParameter(context, 'incomingAuthentication', 0, ['none', 'basicAuth'], 'none');
  const authentication = callAuthentication(context.node, kind);
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
