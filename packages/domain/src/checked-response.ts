import { isJsonObject } from './json.ts';
import type { WebhookBody, WebhookResponse } from './webhook.ts';

const kinds: ReadonlySet<unknown> = new Set<WebhookBody['kind']>(['none', 'json', 'text', 'bytes', 'page', 'file']);

/**
 * Checks a response made by a node's code, which the compiler does not check: an invalid one would
 * fail much later, when it is sent. Throws a `TypeError` that names the problem.
 */
export function checkedResponse(source: WebhookResponse): WebhookResponse {
  const response: unknown = source;
  if (!isJsonObject(response)) throw new TypeError('a response must be an object');
  const { status, headers, body } = response as Record<string, unknown>;
  // 1xx are not final responses: a connection would wait for another one.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`the status of a response must be a number from 200 to 599, not ${shown(status)}`);
  if (!isJsonObject(headers)) throw new TypeError('the headers of a response must be an object');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`a header cannot have the name ${shown(name)}`);
    if (![value].flat().every((one) => typeof one === 'string' || typeof one === 'number'))
      throw new TypeError(`the header ${shown(name)} of a response must be a string or a list of strings`);
  }
  if (!isJsonObject(body) || !kinds.has(body['kind'])) throw new TypeError('the body of a response has an unknown kind');
  if (body['kind'] === 'text' && typeof body['text'] !== 'string')
    throw new TypeError('the text of a response must be a string');
  if (body['kind'] === 'bytes' && typeof body['base64'] !== 'string')
    throw new TypeError('the bytes of a response must be in base64');
  return source;
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 100))
    : String(typeof value === 'number' ? value : typeof value);
}
