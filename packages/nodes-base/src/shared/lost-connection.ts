import { types } from 'node:util';
import { codeOf, errorMessage, NodeOperationError } from '@sluice/node-sdk';

/**
 * Codes from Node, from client libraries, and from Postgres when it shuts down or ends a session.
 */
const codes = new Set(
  `ECONNABORTED ECONNREFUSED ECONNRESET EHOSTUNREACH ENETDOWN ENETUNREACH ENOTCONN EPIPE ETIMEDOUT ERR_STREAM_DESTROYED
  PROTOCOL_CONNECTION_LOST PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR ER_SERVER_SHUTDOWN ER_CONNECTION_KILLED
  ER_CLIENT_INTERACTION_TIMEOUT ECONNECTION ESOCKET 57P01 57P02 57P03 57P05`.split(/\s+/),
);
const names = new Set(
  `MongoNetworkError MongoNetworkTimeoutError MongoServerSelectionError MongoNotConnectedError PoolClearedError
  MaxRetriesPerRequestError KafkaJSConnectionError KafkaJSConnectionClosedError`.split(/\s+/),
);
/** Errors that the libraries (pg, ioredis, basic-ftp, ssh2) do not mark in any other way. */
const messages =
  /^(?:Connection terminated|Client has encountered a connection error|Connection is closed|Server sent FIN|Server closed|Client is closed|Not connected)/;

/** Maximum number of nested errors that are checked. */
const maxCauses = 5;

/**
 * Whether a client library's error reports the end of its connection, rather than a refusal by the
 * server.
 */
export function isLostConnection(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < maxCauses && types.isNativeError(cause); depth++) {
    const { code } = cause as { code?: unknown };
    if (codes.has(`${code}`) || names.has(cause.name) || messages.test(cause.message)) return true;
    cause = cause.cause;
  }
  return false;
}

/** The error for an operation that a lost connection ended. It may have taken effect. */
export function lostConnection(error: unknown, itemIndex?: number): NodeOperationError {
  const code = codeOf(error);
  return new NodeOperationError(
    `the connection was lost: ${errorMessage(error) || 'the server closed it'}`,
    {
      itemIndex,
      description:
        'The operation may have taken effect. Check the server and the network, and whether the server limits sessions',
      ...(code !== undefined && { details: { code } }),
      cause: error,
    },
    'CONNECTION_FAILED',
  );
}
