import { errorMessage, type JsonValue } from '@sluice/domain';
import type { ExecuteContext, NodeChunk, WebhookResponse } from '@sluice/node-sdk';
import { ResponseObject } from './http-call.ts';

/**
 * Functions that respond to the request that started a run. `sending` receives the promise of each
 * response.
 */
export function responseFunctions(context: ExecuteContext, sending: Promise<void>[] = []) {
  return {
    sendResponse: (response: unknown) => {
      const sent = respondWith(context, response);
      // The caller awaits it after the package returns; the handler prevents an unhandled rejection
      // until then.
      sent.catch(() => undefined);
      sending.push(sent);
    },
    isStreaming: () => context.sendChunk !== undefined,
    sendChunk: (type: NodeChunk['type'], itemIndex = 0, content?: JsonValue) =>
      sendChunk(context, { type, itemIndex, ...(content !== undefined && { content }) }),
    sendMessageToUI: (...messages: unknown[]) => context.logger.info({ messages: messages.map(String) }, 'message of a node'),
  };
}

/** Rejects if the response cannot be sent: its body is not JSON, or is too large. */
async function respondWith(context: ExecuteContext, response: unknown): Promise<void> {
  const { body, headers, statusCode } = (response ?? {}) as {
    body?: unknown;
    headers?: Record<string, unknown>;
    statusCode?: number;
  };
  let responding: Promise<unknown> | undefined;
  const respond = (sent: WebhookResponse) => {
    responding = context.respond?.(sent);
  };
  await new ResponseObject({ respond })
    .status(statusCode ?? 200)
    .set(headers ?? {})
    .send(body)
    .sent();
  await responding;
}

const chunkTypes: ReadonlySet<string> = new Set<NodeChunk['type']>(['begin', 'item', 'end', 'error']);

/** Packages do not await sent chunks. Unknown chunk types are not sent. */
function sendChunk({ sendChunk: send, logger }: ExecuteContext, chunk: NodeChunk): void {
  if (!send || !chunkTypes.has(chunk.type)) return;
  send(chunk).catch((error: unknown) => logger.warn({ error: errorMessage(error) }, 'a response chunk was not sent'));
}
