import {
  isJsonObject,
  isRouteSegment,
  NodeOperationError,
  ownProperty,
  type TriggerContext,
  type UnsupportedUse,
  type WebhookResponseSpec,
  type WebhookTrigger,
} from '@sluice/node-sdk';
import { guardChoice, guardNames, guardToggle, isExpression } from '../../shared/guards.ts';
import {
  booleanParameter,
  choiceParameter,
  namesParameter,
  numberParameter,
  type ParameterSource,
  refuseUnsupported,
  textParameter,
  unsupported,
} from '../../shared/parameters.ts';
import { withoutFinalSlashes, withoutOuterSlashes } from '../../shared/slashes.ts';
import {
  allowedAddresses,
  headersParameter,
  requestMethods,
  statusOf,
  webhookAuthentication,
} from '../../shared/webhook-requests.ts';
import { lastNodeData, webhookFiles } from '../../shared/webhook-response.ts';

const onlyRunIf = {
  parameter: 'options.onlyRunIf',
  what: 'the option "onlyRunIf"',
  hint: 'Start the workflow with a filter',
} satisfies UnsupportedUse;

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'authentication',
    values: ['n8nOAuth2'],
    what: 'authentication by users of the service',
    hint: 'Use basic, header, JWT or a signature',
  },
  onlyRunIf,
];

/** How the node handles requests. Throws a `NodeOperationError` for invalid parameters. */
export function webhookTrigger(source: TriggerContext): WebhookTrigger {
  const { node, typeVersion } = source;
  refuseUnsupported(source, unsupportedUses, 0);
  refuseCondition(source);
  const kind = guardChoice(source, 'authentication', authentications, 'none');
  const authentication = webhookAuthentication(node, kind);
  const addresses = allowedAddresses(source);
  const origins = guardNames(source, 'options.allowedOrigins').map(withoutFinalSlashes);
  return {
    kind: 'webhook',
    methods: webhookMethods(source),
    path: webhookPath(source, node.webhookId),
    ...(authentication && { authentication }),
    ...(addresses.length > 0 && { allowedAddresses: addresses }),
    ...(guardToggle(source, 'options.ignoreBots') && { ignoresBots: true }),
    ...(origins.length > 0 && !origins.includes('*') && { allowedOrigins: origins }),
    files: webhookFiles(source, typeVersion),
    response: responseOf(source, typeVersion),
  };
}

/**
 * Rejects an expression in `onlyRunIf`: its value at activation does not apply to later requests.
 */
function refuseCondition({ node }: TriggerContext): void {
  const options = ownProperty(node.parameters, 'options');
  if (isJsonObject(options) && isExpression(ownProperty(options, 'onlyRunIf')))
    throw unsupported(onlyRunIf.what, onlyRunIf.hint);
}

const authentications = ['none', 'basicAuth', 'headerAuth', 'jwtAuth', 'signature'] as const;
const responseModes = ['onReceived', 'lastNode', 'responseNode', 'streaming'] as const;

/** A webhook's methods, in the order of its outputs. */
function webhookMethods(source: ParameterSource): string[] {
  if (!booleanParameter(source, 'multipleMethods', 0, false))
    return [choiceParameter(source, 'httpMethod', 0, requestMethods, 'GET')];
  const chosen = new Set(namesParameter(source, 'httpMethod', 0));
  const unknown = [...chosen].find((method) => !requestMethods.some((candidate) => candidate === method));
  if (unknown !== undefined)
    throw new NodeOperationError(`"${unknown.slice(0, 50)}" is not a method of a webhook`, {
      description: 'Choose methods from the list',
    });
  if (chosen.size > 0) return [...chosen];
  throw new NodeOperationError('the parameter "httpMethod" names no method', { description: 'Choose at least one method' });
}

/** A path with `:params` follows the node's ID if it has one. */
function webhookPath(source: ParameterSource, webhookId: string | undefined): string {
  const path = withoutOuterSlashes(textParameter(source, 'path', 0).trim());
  const segments = path === '' ? [] : path.split('/');
  const hasParameters = segments.some((segment) => segment.startsWith(':'));
  if (typeof webhookId === 'string' && webhookId !== '' && (hasParameters || segments.length === 0))
    segments.unshift(webhookId);
  if (segments.length === 0)
    throw new NodeOperationError('the parameter "path" is required', { description: 'Set the path of the webhook' });
  if (segments[0]?.startsWith(':'))
    throw new NodeOperationError('a path that begins with a part such as ":id" needs a node with a "webhookId"', {
      description: 'Start the path with a fixed part, or give the node a "webhookId"',
    });
  const misnamed = segments.find((segment) => segment.startsWith(':') && !isRouteSegment(segment));
  if (misnamed !== undefined)
    throw new NodeOperationError(
      `the part "${misnamed.slice(0, 50)}" of the path must be letters, digits and "_" after its ":"`,
      {
        description: 'For example :userId',
      },
    );
  const wrong = segments.find((segment) => !isRouteSegment(segment));
  if (wrong !== undefined || segments.length > 50)
    throw new NodeOperationError(
      'the parameter "path" must be words between slashes, none of them "." or ".."; a word may begin with ":"',
      {
        description: 'For example orders, or orders/:id',
      },
    );
  const names = segments.filter((segment) => segment.startsWith(':'));
  if (new Set(names).size < names.length)
    throw new NodeOperationError('the parameter "path" names a part twice', {
      description: 'Give each part that starts with ":" a unique name',
    });
  return segments.join('/');
}

function responseOf(source: ParameterSource, typeVersion: number): WebhookResponseSpec {
  const mode = choiceParameter(source, 'responseMode', 0, responseModes, 'onReceived');
  if (mode === 'streaming' && typeVersion < 2.1)
    throw new NodeOperationError('the response mode "streaming" requires version 2.1 of the node', {
      description: 'Choose another response mode, or replace the node with one of the current version',
    });
  const body = mode === 'onReceived' ? textParameter(source, 'options.responseData', 0) : '';
  return {
    mode,
    status: mode === 'responseNode' || mode === 'streaming' ? 200 : responseStatus(source, typeVersion),
    headers: headersParameter(source, 'options.responseHeaders.entries'),
    ...(body !== '' && { body }),
    ...(mode === 'onReceived' && booleanParameter(source, 'options.noResponseBody', 0, false) && { withoutBody: true }),
    ...lastNodeData(source, mode === 'lastNode'),
  };
}

function responseStatus(source: ParameterSource, typeVersion: number): number {
  if (typeVersion < 2) return statusOf(numberParameter(source, 'responseCode', 0, 200), 'responseCode');
  const path = 'options.responseCode.values';
  const isCustom = textParameter(source, `${path}.responseCode`, 0) === 'customCode';
  return statusOf(numberParameter(source, `${path}.${isCustom ? 'customCode' : 'responseCode'}`, 0, 200), 'responseCode');
}
