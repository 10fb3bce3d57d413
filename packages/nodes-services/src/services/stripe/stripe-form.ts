import type { JsonValue } from '@sluice/node-sdk';
import { asText } from '../../shared/json-values.ts';
import type { ServiceNode } from '../../shared/service-item.ts';

/** Fields of a request; fields without a value are omitted. */
export type Fields = Readonly<Record<string, JsonValue | undefined>>;

type ErrorSource = Pick<ServiceNode, 'error'>;

/** More than any Stripe object has. */
const maxFields = 1_000;
const maxDepth = 5;

/** Encodes fields in Stripe format: `{ card: { number: 1 } }` is `card[number]=1`. */
export function formOf(source: ErrorSource, fields: Fields): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const [name, value] of Object.entries(fields)) addTo(pairs, source, name, value, 1);
  return Object.fromEntries(pairs);
}

function addTo(
  pairs: [string, string][],
  source: ErrorSource,
  name: string,
  value: JsonValue | undefined,
  depth: number,
): void {
  if (value === undefined || value === null || value === '') return;
  if (typeof value !== 'object') {
    pairs.push([name, asText(value)]);
    return;
  }
  const keys = Object.keys(value);
  if (depth > maxDepth || pairs.length + keys.length > maxFields) {
    const description = `Stripe accepts neither more than ${maxFields} values nor more than ${maxDepth} levels`;
    throw source.error(`the field "${name.slice(0, 100)}" is too large`, description);
  }
  for (const key of keys) addTo(pairs, source, `${name}[${key}]`, (value as Record<string, JsonValue>)[key], depth + 1);
}
