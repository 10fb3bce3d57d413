import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { coercedText, stringOf } from '../../shared/coerced-text.ts';
import { listParameter } from '../../shared/parameters.ts';
import type { NamedValue } from './request-plan.ts';

/**
 * Names and values in a list of `{ name, value }`. Omits pairs without a name, and pairs whose
 * expression is undefined: services treat a missing field as no value. A value that was never
 * written is an empty string.
 */
export function writtenPairs(context: ExecuteContext, path: string, itemIndex: number): NamedValue[] {
  const written = path.split('.').reduce<JsonValue | undefined>(memberOf, context.node.parameters);
  return listParameter(context, path, itemIndex).flatMap(({ name, value }, index): NamedValue[] => {
    const isMissing = value === undefined && memberOf(memberOf(written, index), 'value') !== undefined;
    const text = coercedText(name);
    return isMissing || text === '' ? [] : [[text, value === undefined ? '' : value]];
  });
}

function memberOf(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) ? ownProperty(value as JsonObject, stringOf(key)) : undefined;
}
