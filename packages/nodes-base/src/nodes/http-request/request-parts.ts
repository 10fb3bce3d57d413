import type { ExecuteContext, JsonValue } from '@sluice/node-sdk';
import { choiceParameter, listParameter, objectParameter } from '../../shared/parameters.ts';

/** Names and values of query, headers or body, from fields or from JSON. Pairs without a name are left out. */
export function readPairs(
  context: ExecuteContext,
  itemIndex: number,
  parameters: { specify: string; pairs: string; json: string },
): [string, JsonValue][] {
  const specified = choiceParameter(context, parameters.specify, itemIndex, ['keypair', 'json', 'string'], 'keypair');
  if (specified === 'json') return Object.entries(objectParameter(context, parameters.json, itemIndex));
  return listParameter(context, `${parameters.pairs}.parameters`, itemIndex)
    .map(({ name, value }): [string, JsonValue] => [String(name ?? ''), value ?? ''])
    .filter(([name]) => name !== '');
}

/** A value as text of a URL, a form or a header. */
export function plainText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
