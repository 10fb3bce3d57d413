import { errorMessage, isAppError, isNodeOperationError, NodeOperationError } from '@sluice/node-sdk';

/** The error of a node that could not connect or log in: the code of the port's own errors stays, all others are the server's words. */
export function connectionFailed(error: unknown, service: string): NodeOperationError {
  if (isNodeOperationError(error)) return error;
  const hint = { description: `Check host, port, user and password of the ${service} credential`, cause: error };
  if (!isAppError(error)) return new NodeOperationError(`${service}: ${errorMessage(error) || 'the connection failed'}`, hint);
  return new NodeOperationError(error.message, { ...hint, details: error.details }, error.code);
}
