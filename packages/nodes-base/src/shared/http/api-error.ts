import { isJsonObject, type JsonValue, NodeApiError } from '@sluice/node-sdk';

/** An answer that is an error, as far as its error shows it. */
export interface ErrorAnswer {
  status: number;
  statusText: string;
  /** Its body, or the beginning of it. */
  text: string;
  /** Whether there was more. */
  truncated: boolean;
}

/** Characters of a service's own message that go into ours. */
const maxMessage = 300;

/** The error for an answer that is not a success: status, what the service says, and what the author can do. */
export function apiError({ status, statusText, text, truncated }: ErrorAnswer, itemIndex: number): NodeApiError {
  const message = serviceMessage(text);
  const words = [`the service answered ${status}`, ...(statusText === '' ? [] : [` ${statusText}`])].join('');
  return new NodeApiError(message === '' ? words : `${words}: ${message}`, {
    itemIndex,
    description: hint(status),
    details: { status, statusText, body: text, truncated },
  });
}

/** What services call their message, in the order in which it is looked for. */
const messageFields = ['message', 'error_description', 'error_message', 'errorMessage', 'detail', 'title', 'error', 'errors'];

/** What a service says in an answer of JSON; empty: nothing that we recognize. */
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
  [400, 'The service did not understand the request: check query, headers and body'],
  [401, 'The service wants to know who asks: check the authentication'],
  [403, 'The service knows who asks and refuses: check the permissions there'],
  [404, 'There is nothing at this URL: check it'],
  [405, 'The URL does not take this method'],
  [413, 'The body is too large for the service'],
  [415, 'The service does not take a body of this type: check the content type'],
  [422, 'The service understood the request but not its values: check the body'],
  [429, 'Too many requests: use the option "Batching" to send fewer at a time'],
]);

function hint(status: number): string {
  if (status < 400) return 'The service redirects: check the URL, or the option "Redirects"';
  const general = status >= 500 ? 'The service failed: try again later, or switch on "Retry On Fail"' : 'Check the request';
  return hints.get(status) ?? general;
}
