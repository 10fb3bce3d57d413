import { isAppError, isNodeOperationError, NodeOperationError } from '@sluice/node-sdk';

const hints: ReadonlyMap<string, string> = new Map([
  ['HTTP_BLOCKED', 'Addresses in the service’s own network are blocked unless its operator allows them (SSRF_ALLOW)'],
  ['HTTP_INVALID_URL', 'Use an absolute URL that starts with https:// or http://, and send long values in the body'],
  ['HTTP_INVALID_REQUEST', 'Check the headers (names have letters, digits, and dashes; values are one line) or the proxy'],
  ['HTTP_TIMEOUT', 'The service is slow or the response is large: increase the option "Timeout", or request less data'],
  ['HTTP_TOO_LARGE', 'Request less data at a time, or store the response as a file'],
  ['HTTP_TOO_MANY_REDIRECTS', 'Check the URL: it may redirect in a loop'],
  ['HTTP_FAILED', 'Check the URL, and whether the service is up'],
]);

/**
 * Adds the item's index and a hint to a request's error and keeps its code. An error that already
 * has an item is returned unchanged.
 */
export function itemError(error: unknown, itemIndex: number): unknown {
  if (!isAppError(error) || isNodeOperationError(error)) return error;
  const { code, message, details } = error;
  return new NodeOperationError(message, { itemIndex, description: hints.get(code), details, cause: error }, code);
}
