import { isPathSegment, NodeOperationError, type TriggerContext, type WebhookTrigger } from '@sluice/node-sdk';
import { guardChoice, stringOf, textParameter, webhookAuthentication } from '@sluice/nodes-base/node-tools';

/**
 * Maximum number of characters in instructions: the API keeps them in memory and sends them to each
 * client.
 */
const maxInstructions = 100_000;

/**
 * Messages of MCP clients. The API itself handles connection messages, which start no execution.
 */
export function mcpTriggerSpecs(source: TriggerContext): WebhookTrigger[] {
  const authentication = webhookAuthentication(
    source.node,
    guardChoice(source, 'authentication', ['none', 'bearerAuth', 'headerAuth'], 'none'),
  );
  const path = mcpPath(source);
  const shared = { kind: 'webhook', ...(authentication && { authentication }), files: { take: 'none' } } as const;
  const plain = { status: 200, headers: {}, data: 'noData' } as const;
  const messages = {
    ...shared,
    methods: ['POST'],
    response: { mode: 'responseNode', ...plain },
    runsNode: true,
    mcp: { name: source.node.name, version: stringOf(source.typeVersion), ...instructionsOf(source) },
  } as const;
  return [
    { ...messages, path },
    { ...shared, methods: ['GET'], path: `${path}/sse`, response: { mode: 'onReceived', ...plain }, mcpTransport: 'events' },
    { ...messages, path: `${path}/messages`, mcpTransport: 'messages' },
  ];
}

function instructionsOf(source: TriggerContext): { instructions?: string } {
  const instructions = source.typeVersion < 2.1 ? '' : textParameter(source, 'instructions', 0).trim();
  if (instructions === '') return {};
  if (instructions.length <= maxInstructions) return { instructions };
  throw new NodeOperationError(`"Instructions" may have at most ${maxInstructions} characters, got ${instructions.length}`);
}

function mcpPath(source: TriggerContext): string {
  const { webhookId } = source.node;
  const path = textParameter(source, 'path', 0).trim() || (typeof webhookId === 'string' ? webhookId : '');
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > 0 && segments.every((segment) => isPathSegment(segment))) return ['mcp', ...segments].join('/');
  throw new NodeOperationError('an MCP server needs a path, or a node with a "webhookId": it is the end of the URL', {
    description: 'Set "Path" to words, separated by slashes, such as support',
  });
}
