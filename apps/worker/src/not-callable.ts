import { NodeOperationError } from '@sluice/node-sdk';

export function notCallable(message: string, description: string): NodeOperationError {
  return new NodeOperationError(message, { description }, 'WORKFLOW_NOT_CALLABLE');
}
