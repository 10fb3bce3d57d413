import { type ExecuteContext, isJsonObject, type JsonValue, mapSliced, parseJson, valueAt } from '@sluice/node-sdk';
import { booleanParameter, namesParameter, numberParameter, textParameter } from '@sluice/nodes-base/node-tools';

/** The part of a response that the model gets. */
export async function shownResponse(
  context: ExecuteContext,
  itemIndex: number,
  text: string,
  contentType: string,
): Promise<JsonValue> {
  const isOptimized = booleanParameter(context, 'optimizeResponse', itemIndex, false);
  const type = isOptimized ? textParameter(context, 'responseType', itemIndex, 'json') : typeOf(contentType);
  const value = type === 'json' ? ((await parsed(text)) ?? text) : text;
  return isOptimized ? optimized(context, itemIndex, value) : value;
}

function typeOf(contentType: string): string {
  return contentType.includes('json') ? 'json' : 'text';
}

async function parsed(text: string): Promise<JsonValue | undefined> {
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return undefined;
  }
}

async function optimized(context: ExecuteContext, itemIndex: number, value: JsonValue): Promise<JsonValue> {
  if (typeof value === 'string') return shortened(context, itemIndex, value);
  const path = textParameter(context, 'dataField', itemIndex);
  const data = path === '' ? value : (valueAt(value, path) ?? value);
  const which = textParameter(context, 'fieldsToInclude', itemIndex, 'all');
  const names = new Set(namesParameter(context, 'fields', itemIndex));
  const keeps = (name: string) => which === 'all' || names.has(name) === (which === 'selected');
  const pick = (one: JsonValue): JsonValue =>
    isJsonObject(one) ? Object.fromEntries(Object.entries(one).filter(([name]) => keeps(name))) : one;
  return Array.isArray(data) ? mapSliced(data, pick) : pick(data);
}

function shortened(context: ExecuteContext, itemIndex: number, text: string): string {
  if (!booleanParameter(context, 'truncateResponse', itemIndex, false)) return text;
  return text.slice(0, Math.max(1, numberParameter(context, 'maxLength', itemIndex, 1_000)));
}
