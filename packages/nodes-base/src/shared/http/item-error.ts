import { isAppError, isNodeOperationError, NodeOperationError } from '@sluice/node-sdk';

const hints: ReadonlyMap<string, string> = new Map([
  [
    'HTTP_BLOCKED',
    'Addresses inside the network of the service are out of reach, unless its operator allows them (SSRF_ALLOW)',
  ],
  ['HTTP_INVALID_URL', 'Give an absolute URL, beginning with https:// or http://'],
  [
    'HTTP_INVALID_REQUEST',
    'Check the headers: a name has letters, digits and dashes, and a value is one line; or the proxy, if it is that',
  ],
  ['HTTP_TIMEOUT', 'The service is slow, or the answer large: raise the option "Timeout", or ask for less'],
  ['HTTP_TOO_LARGE', 'Ask for less at a time, or have the response stored as a file'],
  ['HTTP_TOO_MANY_REDIRECTS', 'Check the URL: it may lead in a circle'],
  ['HTTP_FAILED', 'Check the URL, and whether the service is up'],
]);

/** An error of a request with the item that it belongs to, and a hint; its code stays. What names an item already stays as it is. */
export function itemError(error: unknown, itemIndex: number): unknown {
  if (!isAppError(error) || isNodeOperationError(error)) return error;
  const { code, message, details } = error;
  return new NodeOperationError(message, { itemIndex, description: hints.get(code), details, cause: error }, code);
}
