import { isPathSegment, NodeOperationError, type TriggerContext, type WebhookTrigger } from '@sluice/node-sdk';
import { guardChoice, textParameter, webhookAuthentication } from '@sluice/nodes-base/node-tools';

/** Messages of MCP clients. The API responds to those about the connection; they start nothing. */
export function mcpTriggerSpecs(source: TriggerContext): WebhookTrigger[] {
  const authentication = webhookAuthentication(
    source.node,
    guardChoice(source, 'authentication', ['none', 'bearerAuth', 'headerAuth'], 'none'),
  );
  return [
    {
      kind: 'webhook',
      methods: ['POST'],
      path: mcpPath(source),
      ...(authentication && { authentication }),
      files: { take: 'none' },
      response: { mode: 'responseNode', status: 200, headers: {}, data: 'noData' },
      runsNode: true,
      mcp: { name: source.node.name, version: String(source.typeVersion) },
    },
  ];
}

function mcpPath(source: TriggerContext): string {
  const { webhookId } = source.node;
  const path = textParameter(source, 'path', 0).trim() || (typeof webhookId === 'string' ? webhookId : '');
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.length > 0 && segments.every((segment) => isPathSegment(segment))) return ['mcp', ...segments].join('/');
  throw new NodeOperationError('an MCP server needs a path, or a node with a "webhookId": it is the end of the address', {
    description: 'Set "Path" to words, separated by slashes, such as support',
  });
}
