import type { ExecuteContext, Item, ReceivedCall, ResumeCall } from '@sluice/node-sdk';
import { booleanParameter, choiceParameter, numberParameter, textParameter, unsupported } from '../../shared/parameters.ts';
import { allowedAddresses, callAuthentication, callMethods, headersParameter, statusOf } from '../../shared/webhook-calls.ts';
import { dateOf, durationOf } from './await-time.ts';

/** Suspends the node run until a call comes, if that is what it waits for. */
export function awaitCall(context: ExecuteContext): boolean {
  const resume = choiceParameter(context, 'resume', 0, ['timeInterval', 'specificTime', 'webhook', 'form'], 'timeInterval');
  if (resume !== 'webhook') return false;
  const at = limitOf(context);
  context.suspend({ kind: 'call', call: expectedCall(context), ...(at !== undefined && { at }) });
  return true;
}

/** The item that a call makes. */
export function takeCall({ headers, params, query, body }: ReceivedCall): Item {
  return { json: { headers, params, query, body }, pairedItem: { item: 0 } };
}

function limitOf(context: ExecuteContext): number | undefined {
  if (!booleanParameter(context, 'limitWaitTime', 0, false)) return undefined;
  const type = choiceParameter(context, 'limitType', 0, ['afterTimeInterval', 'atSpecifiedTime'], 'afterTimeInterval');
  if (type === 'atSpecifiedTime') return dateOf(context, 'maxDateAndTime');
  return Date.now() + durationOf(context, { amount: 'resumeAmount', unit: 'resumeUnit' }, { amount: 1, unit: 'hours' });
}

function expectedCall(context: ExecuteContext): ResumeCall {
  refuseUnsupported(context);
  const suffix = textParameter(context, 'options.webhookSuffix', 0).replace(/^\/+|\/+$/g, '');
  const kind = choiceParameter(context, 'incomingAuthentication', 0, ['none', 'basicAuth', 'headerAuth', 'jwtAuth'], 'none');
  const authentication = callAuthentication(context.node, kind);
  const addresses = allowedAddresses(context);
  return {
    method: choiceParameter(context, 'httpMethod', 0, callMethods, 'GET'),
    ...(suffix !== '' && { suffix }),
    ...(authentication && { authentication }),
    ...(addresses.length > 0 && { allowedAddresses: addresses }),
    ...(booleanParameter(context, 'options.ignoreBots', 0, false) && { ignoresBots: true }),
    response: responseOf(context),
  };
}

function refuseUnsupported(context: ExecuteContext): void {
  const mode = choiceParameter(context, 'responseMode', 0, ['onReceived', 'lastNode', 'responseNode'], 'onReceived');
  if (mode !== 'onReceived') throw unsupported(`the response mode "${mode}" of a wait`, 'Respond immediately');
  for (const option of ['binaryData', 'rawBody']) {
    if (booleanParameter(context, `options.${option}`, 0, false))
      throw unsupported(`the option "${option}" of a wait`, 'Call it with JSON, a form or text');
  }
}

function responseOf(context: ExecuteContext): ResumeCall['response'] {
  const body = textParameter(context, 'options.responseData', 0);
  return {
    status: statusOf(numberParameter(context, 'responseCode', 0, 200), 'responseCode'),
    headers: headersParameter(context, 'options.responseHeaders.entries'),
    ...(body !== '' && { body }),
    ...(booleanParameter(context, 'options.noResponseBody', 0, false) && { withoutBody: true }),
  };
}
