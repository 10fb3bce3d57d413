import {
  NodeOperationError,
  type TriggerContext,
  type WebhookFiles,
  type WebhookResponse,
  type WebhookTrigger,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  type ParameterSource,
  textParameter,
  unsupported,
} from '../../shared/parameters.ts';
import { allowedAddresses, callAuthentication, callMethods, headersParameter, statusOf } from '../../shared/webhook-calls.ts';

/** What a call of the node's address does. Throws a `NodeOperationError` for what cannot be. */
export function webhookTrigger(source: TriggerContext): WebhookTrigger {
  const { node, typeVersion } = source;
  const kind = choiceParameter(source, 'authentication', 0, authentications, 'none');
  if (kind === 'n8nOAuth2')
    throw unsupported('authentication by users of the service', 'Use basic, header, JWT or a signature');
  if (textParameter(source, 'options.onlyRunIf', 0) !== '')
    throw unsupported('the option "onlyRunIf"', 'Begin the workflow with a filter');
  const authentication = callAuthentication(node, kind);
  const addresses = allowedAddresses(source);
  const origins = namesParameter(source, 'options.allowedOrigins', 0).map((origin) => origin.replace(/\/+$/, ''));
  return {
    kind: 'webhook',
    methods: webhookMethods(source),
    path: webhookPath(source, node.webhookId),
    ...(authentication && { authentication }),
    ...(addresses.length > 0 && { allowedAddresses: addresses }),
    ...(booleanParameter(source, 'options.ignoreBots', 0, false) && { ignoresBots: true }),
    ...(origins.length > 0 && !origins.includes('*') && { allowedOrigins: origins }),
    files: filesOf(source, typeVersion),
    response: responseOf(source, typeVersion),
  };
}

const authentications = ['none', 'basicAuth', 'headerAuth', 'jwtAuth', 'signature', 'n8nOAuth2'] as const;
const responseModes = ['onReceived', 'lastNode', 'responseNode', 'streaming'] as const;
const lastNodeData = ['firstEntryJson', 'allEntries', 'firstEntryBinary', 'noData'] as const;

/** The methods that a webhook is called with, in the order of its outputs. */
export function webhookMethods(source: ParameterSource): string[] {
  if (!booleanParameter(source, 'multipleMethods', 0, false))
    return [choiceParameter(source, 'httpMethod', 0, callMethods, 'GET')];
  const asked = new Set(namesParameter(source, 'httpMethod', 0));
  const unknown = [...asked].find((method) => !callMethods.some((known) => known === method));
  if (unknown !== undefined)
    throw new NodeOperationError(`"${unknown.slice(0, 50)}" is no method that a webhook can be called with`);
  if (asked.size > 0) return [...asked];
  throw new NodeOperationError('the parameter "httpMethod" names no method');
}

/** A path with `:params` stands behind the id of the node, so that it cannot catch the calls of others. */
function webhookPath(source: ParameterSource, webhookId: string | undefined): string {
  const own = textParameter(source, 'path', 0)
    .trim()
    .replace(/^\/+|\/+$/g, '');
  const segments = own === '' ? [] : own.split('/');
  const hasParameters = segments.some((segment) => segment.startsWith(':'));
  if (typeof webhookId === 'string' && webhookId !== '' && (hasParameters || segments.length === 0))
    segments.unshift(webhookId);
  if (segments.length === 0) throw new NodeOperationError('the parameter "path" is required');
  if (segments[0]?.startsWith(':'))
    throw new NodeOperationError('a path that begins with a part such as ":id" needs a node with a "webhookId"');
  const wrong = segments.find((segment) => !isSegment(segment));
  if (wrong !== undefined || segments.length > 50)
    throw new NodeOperationError('the parameter "path" has to be words between slashes; a word may begin with ":"', {
      description: 'For example orders, or orders/:id',
    });
  const names = segments.filter((segment) => segment.startsWith(':'));
  if (new Set(names).size < names.length) throw new NodeOperationError('the parameter "path" names a part twice');
  return segments.join('/');
}

function isSegment(segment: string): boolean {
  return segment.length <= 200 && (segment.startsWith(':') ? /^:\w+$/.test(segment) : /^[^\s:?#\\\p{Cc}]+$/u.test(segment));
}

function filesOf(source: ParameterSource, typeVersion: number): WebhookFiles {
  const property = textParameter(source, 'options.binaryPropertyName', 0).trim();
  const named = property !== '' && { property };
  if (booleanParameter(source, 'options.rawBody', 0, false)) return { take: 'body', ...named };
  if (typeVersion > 1) return { take: 'all', ...named };
  return booleanParameter(source, 'options.binaryData', 0, false) ? { take: 'body', ...named } : { take: 'none' };
}

function responseOf(source: ParameterSource, typeVersion: number): WebhookResponse {
  const mode = choiceParameter(source, 'responseMode', 0, responseModes, 'onReceived');
  if (mode === 'streaming')
    throw unsupported('the response mode "streaming"', 'Respond when the last node finishes, or by a node');
  const body = mode === 'onReceived' ? textParameter(source, 'options.responseData', 0) : '';
  const isLast = mode === 'lastNode';
  return {
    mode,
    status: mode === 'responseNode' ? 200 : responseStatus(source, typeVersion),
    headers: headersParameter(source, 'options.responseHeaders.entries'),
    ...(body !== '' && { body }),
    ...(mode === 'onReceived' && booleanParameter(source, 'options.noResponseBody', 0, false) && { withoutBody: true }),
    data: isLast ? choiceParameter(source, 'responseData', 0, lastNodeData, 'firstEntryJson') : 'noData',
    ...textOption(source, 'options.responsePropertyName', 'property', isLast),
    ...textOption(source, 'options.responseContentType', 'contentType', isLast),
    ...textOption(source, 'responseBinaryPropertyName', 'binaryProperty', isLast),
  };
}

function textOption<Name extends string>(
  source: ParameterSource,
  path: string,
  name: Name,
  counts: boolean,
): { [key in Name]?: string } {
  const value = counts ? textParameter(source, path, 0).trim() : '';
  return value === '' ? {} : ({ [name]: value } as { [key in Name]: string });
}

function responseStatus(source: ParameterSource, typeVersion: number): number {
  if (typeVersion < 2) return statusOf(numberParameter(source, 'responseCode', 0, 200), 'responseCode');
  const path = 'options.responseCode.values';
  const isCustom = textParameter(source, `${path}.responseCode`, 0) === 'customCode';
  return statusOf(numberParameter(source, `${path}.${isCustom ? 'customCode' : 'responseCode'}`, 0, 200), 'responseCode');
}
