import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { listParameter } from '../../shared/parameters.ts';
import type { NamedValue } from './request-plan.ts';

/**
 * Names and values of a list of `{ name, value }`. Pairs without a name are left out, as are those whose expression
 * is undefined: services take a missing field for none. A value that was never written is an empty text.
 */
export function writtenPairs(context: ExecuteContext, path: string, itemIndex: number): NamedValue[] {
  const written = path.split('.').reduce<JsonValue | undefined>(memberOf, context.node.parameters);
  return listParameter(context, path, itemIndex).flatMap(({ name, value }, index): NamedValue[] => {
    const isMissing = value === undefined && memberOf(memberOf(written, index), 'value') !== undefined;
    const text = String(name ?? '');
    return isMissing || text === '' ? [] : [[text, value === undefined ? '' : value]];
  });
}

function memberOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? ownProperty(value as JsonObject, String(key)) : undefined;
}
