import { type ExecuteContext, errorObject, failedItem, type Item } from '@sluice/node-sdk';

/**
 * Like `failedOrThrow`, with the error as an object: `message`, `status`, and known details of the
 * response.
 */
export function failedRequestOrThrow({ continueOnFail, signal }: ExecuteContext, itemIndex: number, error: unknown): Item {
  if (signal.aborted || !continueOnFail) throw error;
  return failedItem(error, itemIndex, errorObject(error));
}
