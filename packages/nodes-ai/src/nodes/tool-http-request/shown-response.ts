import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { booleanParameter, namesParameter, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';

/** The part of a response that the model gets. */
export function shownResponse(context: ExecuteContext, itemIndex: number, text: string, contentType: string): JsonValue {
  const isOptimized = booleanParameter(context, 'optimizeResponse', itemIndex, false);
  const type = isOptimized ? textParameter(context, 'responseType', itemIndex, 'json') : typeOf(contentType);
  const value = type === 'json' ? (parsed(text) ?? text) : text;
  return isOptimized ? optimized(context, itemIndex, value) : value;
}

function typeOf(contentType: string): string {
  return contentType.includes('json') ? 'json' : 'text';
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function optimized(context: ExecuteContext, itemIndex: number, value: JsonValue): JsonValue {
  if (typeof value === 'string') return shortened(context, itemIndex, value);
  const path = textParameter(context, 'dataField', itemIndex);
  const data = path === '' ? value : (valueAt(value, path.split('.')) ?? value);
  const which = textParameter(context, 'fieldsToInclude', itemIndex, 'all');
  const names = new Set(namesParameter(context, 'fields', itemIndex));
  const keeps = (name: string) => which === 'all' || names.has(name) === (which === 'selected');
  const pick = (one: JsonValue): JsonValue =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).filter(([name]) => keeps(name))) : one;
  return Array.isArray(data) ? data.map(pick) : pick(data);
}

function shortened(context: ExecuteContext, itemIndex: number, text: string): string {
  if (!booleanParameter(context, 'truncateResponse', itemIndex, false)) return text;
  return text.slice(0, Math.max(1, numberParameter(context, 'maxLength', itemIndex, 1_000)));
}

function valueAt(value: JsonValue, [key, ...rest]: readonly string[]): JsonValue | undefined {
  if (key === undefined) return value;
  const member = isJsonObject(value) ? ownProperty(value as JsonObject, key) : undefined;
  return member === undefined ? undefined : valueAt(member, rest);
}
