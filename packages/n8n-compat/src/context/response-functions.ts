import { errorMessage, type JsonValue } from '@sluice/domain';
import type { ExecuteContext, NodeChunk, WebhookResponse } from '@sluice/node-sdk';
import { ResponseObject } from './http-call.ts';

/** Functions that respond to the request that started a run. `sending` receives the promise of each response. */
export function responseFunctions(context: ExecuteContext, sending: Promise<void>[] = []) {
  return {
    sendResponse: (response: unknown) => void sending.push(respondWith(context, response)),
    isStreaming: () => context.sendChunk !== undefined,
    sendChunk: (type: NodeChunk['type'], itemIndex = 0, content?: JsonValue) =>
      sendChunk(context, { type, itemIndex, ...(content !== undefined && { content }) }),
    sendMessageToUI: (...messages: unknown[]) => context.logger.info({ messages: messages.map(String) }, 'message of a node'),
  };
}

function respondWith(context: ExecuteContext, response: unknown): Promise<void> {
  const { body, headers, statusCode } = (response ?? {}) as {
    body?: unknown;
    headers?: Record<string, unknown>;
    statusCode?: number;
  };
  const respond = (sent: WebhookResponse) => void context.respond?.(sent);
  return new ResponseObject({ respond })
    .status(statusCode ?? 200)
    .set(headers ?? {})
    .send(body)
    .sent();
}

const chunkTypes: ReadonlySet<string> = new Set<NodeChunk['type']>(['begin', 'item', 'end', 'error']);

/** Packages do not await sent chunks. Chunk types unknown to callers are not sent. */
function sendChunk({ sendChunk: send, logger }: ExecuteContext, chunk: NodeChunk): void {
  if (!send || !chunkTypes.has(chunk.type)) return;
  send(chunk).catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'a part of a response was not sent'));
}
