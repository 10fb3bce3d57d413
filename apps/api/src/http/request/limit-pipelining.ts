import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Maximum number of requests of one connection that wait for their responses. */
export const maxPipelined = 16;

/**
 * Responses of each connection, in the order of their requests; finished ones are removed with the
 * next request.
 */
const responsesOf = new WeakMap<Duplex, readonly ServerResponse[]>();

/**
 * Passes requests to the handler, and closes a connection that sends too many before it gets their
 * responses. Node reads 64 KiB at once, which is two thousand short requests, and calls the handler
 * for all of them: a few connections would block the event loop for seconds. Clients that pipeline
 * have to expect that a connection closes (RFC 9112 §9.3.2).
 */
export function limitPipelining(handle: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const pending = pendingResponses(socket);
    if (pending.length === maxPipelined) {
      socket.destroy();
      return;
    }
    responsesOf.set(socket, [...pending, response]);
    handle(request, response);
  };
}

/** Unfinished responses to the requests of a connection that `limitPipelining` passed on. */
export function pendingResponses(socket: Duplex): ServerResponse[] {
  return (responsesOf.get(socket) ?? []).filter(({ writableFinished, destroyed }) => !writableFinished && !destroyed);
}

/** Members of Node's HTTP parser that are changed here. */
interface Parser {
  /** Called for each request; `2` ends parsing, as for an upgrade. */
  onIncoming?: (...parts: unknown[]) => number;
}

/** Value for which the parser ignores all further bytes. */
const ignoreRest = 2;

/**
 * Stops parsing once a connection is closed, for the server's `connection` event. Otherwise Node
 * would create a request and a response, three kilobytes, for each of the two thousand. Node has
 * no option for this; without the parser's member, `limitPipelining` still works.
 */
export function stopParsingWhenClosed(socket: Socket): void {
  const { parser } = socket as Socket & { parser?: Parser };
  const { onIncoming } = parser ?? {};
  if (!parser || !onIncoming) return;
  parser.onIncoming = (...parts) => (socket.destroyed ? ignoreRest : onIncoming(...parts));
}
