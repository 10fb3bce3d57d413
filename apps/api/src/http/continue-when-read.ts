import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * For a client that asks before it sends its body (`Expect: 100-continue`): it is told to as soon as somebody begins to read. A request that is refused by its
 * head is answered without: nobody knows then whether the body comes all the same, so the connection is closed.
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
