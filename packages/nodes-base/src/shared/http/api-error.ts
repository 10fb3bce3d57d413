import { isJsonObject, type JsonValue, NodeApiError } from '@sluice/node-sdk';

/** The parts of an error response that the error includes. */
interface ErrorResponse {
  status: number;
  statusText: string;
  /** The body or its beginning. */
  text: string;
  /** Whether `text` is only the beginning. */
  truncated: boolean;
  /**
   * The other origin to which the request was redirected, without credentials, headers, and body.
   */
  redirectedTo?: string | undefined;
}

/** Maximum number of characters of a service's message in our message. */
const maxMessage = 300;

/** The error for an unsuccessful response: status, the service's message, and a hint. */
export function apiError(
  { status, statusText, text, truncated, redirectedTo }: ErrorResponse,
  itemIndex: number,
): NodeApiError {
  const message = serviceMessage(text);
  const words = [`the service returned ${status}`, ...(statusText === '' ? [] : [` ${statusText}`])].join('');
  return new NodeApiError(message === '' ? words : `${words}: ${message}`, {
    itemIndex,
    description: redirectedTo === undefined || status < 400 ? hint(status) : redirectHint(redirectedTo),
    details: { status, statusText, body: text, truncated },
  });
}

/** Names of message fields in error bodies, in order of preference. */
const messageFields = ['message', 'error_description', 'error_message', 'errorMessage', 'detail', 'title', 'error', 'errors'];

/** The message in a JSON error body; empty if none is recognized. */
function serviceMessage(text: string): string {
  let body: JsonValue;
  try {
    body = JSON.parse(text) as JsonValue;
  } catch {
    return '';
  }
  const message = messageIn(body, 0).trim();
  return message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
}

function messageIn(value: JsonValue | undefined, depth: number): string {
  if (typeof value === 'string') return depth === 0 ? '' : value;
  if (Array.isArray(value)) return depth > 2 ? '' : messageIn(value[0], depth + 1);
  if (!isJsonObject(value) || depth > 2) return '';
  for (const field of messageFields) {
    const message = Object.hasOwn(value, field) ? messageIn(value[field], depth + 1) : '';
    if (message !== '') return message;
  }
  return '';
}

const hints: ReadonlyMap<number, string> = new Map([
  [400, 'The service did not understand the request: check the query, headers, and body'],
  [401, 'The service requires authentication: check it'],
  [403, 'The service denied access: check the permissions there'],
  [404, 'The URL does not exist: check it'],
  [405, 'The URL does not accept this method'],
  [413, 'The body is too large for the service'],
  [415, 'The service does not accept this type of body: check the content type'],
  [422, 'The service rejected values in the request: check the body'],
  [429, 'Too many requests: use the option "Batching" to send fewer at a time'],
]);

function redirectHint(origin: string): string {
  return `The request was redirected to ${origin}, which does not receive credentials, headers, or the body: set the URL to an address of that origin`;
}

function hint(status: number): string {
  if (status < 400) return 'The service redirects: check the URL, or the option "Redirects"';
  const general = status >= 500 ? 'The service failed: try again later, or switch on "Retry On Fail"' : 'Check the request';
  return hints.get(status) ?? general;
}
