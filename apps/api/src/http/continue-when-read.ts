import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Answers `Expect: 100-continue` as soon as the body is being read. A request that is refused by its
 * headers gets no `100 Continue`; since its body may still come, the connection is closed.
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
