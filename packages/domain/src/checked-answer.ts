import { isJsonObject } from './json.ts';
import type { WebhookAnswer, WebhookBody } from './webhook.ts';

const kinds: ReadonlySet<unknown> = new Set<WebhookBody['kind']>(['none', 'json', 'text', 'page', 'file']);

/**
 * Checks a response made by a node's code, which the compiler does not check: an invalid one would
 * fail much later, when it is sent. Throws a `TypeError` that names the problem.
 */
export function checkedAnswer(given: WebhookAnswer): WebhookAnswer {
  const answer: unknown = given;
  if (!isJsonObject(answer)) throw new TypeError('an answer must be an object');
  const { status, headers, body } = answer as Record<string, unknown>;
  // 1xx are not final responses: a connection would wait for another one.
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`the status of an answer must be a number from 200 to 599, not ${shown(status)}`);
  if (!isJsonObject(headers)) throw new TypeError('the headers of an answer must be an object');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`no header can have the name ${shown(name)}`);
    if (![value].flat().every((one) => typeof one === 'string' || typeof one === 'number'))
      throw new TypeError(`the header ${shown(name)} of an answer must be a text, or a list of them`);
  }
  if (!isJsonObject(body) || !kinds.has(body['kind'])) throw new TypeError('the body of an answer is of no kind that there is');
  if (body['kind'] === 'text' && typeof body['text'] !== 'string') throw new TypeError('the text of an answer is no text');
  return given;
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value.slice(0, 100))
    : String(typeof value === 'number' ? value : typeof value);
}
