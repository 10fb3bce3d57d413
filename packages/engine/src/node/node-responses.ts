import { checkedResponse, type WorkflowNode } from '@sluice/domain';
import type { ExecuteContext } from '@sluice/node-sdk';
import type { ContextParts } from './execution-context.ts';

type Frame = Pick<ContextParts['execution'], 'request' | 'ports'>;

/** See `ExecuteContext.respond`. */
export function responderOf({ request }: Pick<Frame, 'request'>): ExecuteContext['respond'] {
  return request.respond && (async (response) => (await request.respond?.(checkedResponse(response), request.signal)) ?? false);
}

/** See `ExecuteContext.sendChunk`. */
export function chunkSenderOf(
  { request, ports }: Frame,
  { id: nodeId = '', name: nodeName }: Readonly<WorkflowNode>,
  runIndex: number,
): ExecuteContext['sendChunk'] {
  if (!request.stream) return undefined;
  return async ({ type, content, itemIndex, resumeUrl }) => {
    const origin = { nodeId, nodeName, itemIndex, runIndex, timestamp: ports.now() };
    const metadata = { ...origin, ...(resumeUrl !== undefined && { resumeUrl }) };
    await request.stream?.({ type, ...(content !== undefined && { content }), metadata });
  };
}
