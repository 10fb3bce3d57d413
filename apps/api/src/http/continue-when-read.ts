import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Sends `100 Continue` once something reads the body. A request that is refused by its headers does
 * not get it, and its connection is closed, since the body may still arrive.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  const onListener = (event: string | symbol) => {
    if (event !== 'data' && event !== 'readable') return;
    request.off('newListener', onListener);
    if (response.headersSent) return;
    response.shouldKeepAlive = shouldKeepAlive;
    response.writeContinue();
  };
  request.on('newListener', onListener);
}
