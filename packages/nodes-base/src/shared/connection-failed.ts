import { errorMessage, isAppError, isNodeOperationError, NodeOperationError } from '@sluice/node-sdk';

/**
 * The error of a node that could not connect or log in. A port's error keeps its code; other errors
 * keep only the server's message.
 */
export function connectionFailed(error: unknown, service: string): NodeOperationError {
  if (isNodeOperationError(error)) return error;
  const hint = { description: `Check host, port, user, and password of the ${service} credential`, cause: error };
  if (!isAppError(error)) return new NodeOperationError(`${service}: ${errorMessage(error) || 'the connection failed'}`, hint);
  return new NodeOperationError(error.message, { ...hint, details: error.details }, error.code);
}
