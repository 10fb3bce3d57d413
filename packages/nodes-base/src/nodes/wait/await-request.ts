import type { ExecuteContext, ExpectedRequest, Item, ResumeRequest, WebhookResponseSpec } from '@sluice/node-sdk';
import { filesOf } from '../../shared/binary-files.ts';
import { guardChoice, guardToggle } from '../../shared/guards.ts';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import {
  allowedAddresses,
  headersParameter,
  requestMethods,
  statusOf,
  webhookAuthentication,
} from '../../shared/webhook-requests.ts';
import { lastNodeData, webhookFiles } from '../../shared/webhook-response.ts';
import { addressSuffix } from './address-suffix.ts';
import { awaitForm } from './await-form.ts';
import { waitLimit } from './wait-limit.ts';

/** Suspends the node run if it waits for a request or a form; returns whether it does. */
export function awaitRequest(context: ExecuteContext): boolean {
  const resume = choiceParameter(context, 'resume', 0, ['timeInterval', 'specificTime', 'webhook', 'form'], 'timeInterval');
  if (resume === 'form') awaitForm(context);
  if (resume !== 'webhook') return resume === 'form';
  const at = waitLimit(context);
  context.suspend({ kind: 'call', call: expectedRequest(context), ...(at !== undefined && { at }) });
  return true;
}

/** A request's item. */
export function itemOfRequest({ headers, params, query, body, binary, jwtPayload }: ResumeRequest): Item {
  const json = { headers, params, query, body, ...(jwtPayload && { jwtPayload }) };
  return { json, ...filesOf(binary), pairedItem: { item: 0 } };
}

function expectedRequest(context: ExecuteContext): ExpectedRequest {
  const suffix = addressSuffix(context);
  const kind = guardChoice(context, 'incomingAuthentication', ['none', 'basicAuth', 'headerAuth', 'jwtAuth'], 'none');
  const authentication = webhookAuthentication(context.node, kind);
  const addresses = allowedAddresses(context);
  const mode = choiceParameter(context, 'responseMode', 0, ['onReceived', 'lastNode', 'responseNode'], 'onReceived');
  return {
    method: choiceParameter(context, 'httpMethod', 0, requestMethods, 'GET'),
    ...(suffix !== '' && { suffix }),
    ...(authentication && { authentication }),
    ...(addresses.length > 0 && { allowedAddresses: addresses }),
    ...(guardToggle(context, 'options.ignoreBots') && { ignoresBots: true }),
    files: webhookFiles(context, context.typeVersion),
    response: responseOf(context),
    ...(mode !== 'onReceived' && { answer: workflowResponseOf(context, mode) }),
  };
}

function responseOf(context: ExecuteContext): ExpectedRequest['response'] {
  const body = textParameter(context, 'options.responseData', 0);
  return {
    status: statusParameter(context),
    headers: headersParameter(context, 'options.responseHeaders.entries'),
    ...(body !== '' && { body }),
    ...(booleanParameter(context, 'options.noResponseBody', 0, false) && { withoutBody: true }),
  };
}

/** How the workflow responds later. */
function workflowResponseOf(context: ExecuteContext, mode: 'lastNode' | 'responseNode'): WebhookResponseSpec {
  return {
    mode,
    status: mode === 'lastNode' ? statusParameter(context) : 200,
    headers: headersParameter(context, 'options.responseHeaders.entries'),
    ...lastNodeData(context, mode === 'lastNode'),
  };
}

function statusParameter(context: ExecuteContext): number {
  return statusOf(numberParameter(context, 'responseCode', 0, 200), 'responseCode');
}
