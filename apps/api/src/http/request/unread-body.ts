import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';

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

/** Milliseconds for which a client may keep sending, so that it can still read the response. */
const lingerMs = 2_000;

/**
 * Discards the rest of a body whose response came first: it was too large or refused. Many clients
 * read the response only once they have sent everything, and would lose it if the connection
 * closed. If the body has not ended by then, closes the connection after two seconds.
 */
export const abandonUnreadBody: RequestHandler = (request, response, next) => {
  // The request loses its socket once the response ends.
  const { socket } = request;
  // Runs before Node's own listener, which destroys the socket if the connection is not kept alive.
  response.prependOnceListener('finish', () => {
    if (request.complete || socket.destroyed) return;
    socket.destroySoon = () => socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    const clear = () => clearTimeout(timer);
    request.once('end', () => {
      clear();
      Reflect.deleteProperty(socket, 'destroySoon');
      if (socket.writableEnded) socket.destroy();
    });
    socket.once('close', clear);
    // The reader of the body stopped waiting for more, but may still listen; `resume` would do
    // nothing.
    request.removeAllListeners('readable');
    setImmediate(() => request.resume());
  });
  next();
};
