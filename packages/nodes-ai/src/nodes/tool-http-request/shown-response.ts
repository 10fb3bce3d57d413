import {
  type ExecuteContext,
  isJsonObject,
  type JsonValue,
  mapSliced,
  NodeOperationError,
  parseJson,
  valueAt,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  namesParameter,
  numberParameter,
  parseHtml,
  selectorError,
  textParameter,
  textReader,
} from '@sluice/nodes-base/node-tools';

type Page = Awaited<ReturnType<typeof parseHtml>>;

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
  if (!isOptimized) return value;
  if (typeof value !== 'string') return optimized(context, itemIndex, value);
  return shortened(context, itemIndex, type === 'html' ? await htmlPart(context, itemIndex, value) : value);
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

/** The elements of a page that the selector chooses: their markup, or only their text. */
async function htmlPart(context: ExecuteContext, itemIndex: number, html: string): Promise<string> {
  const $ = await parseHtml(html, itemIndex);
  const selector = textParameter(context, 'cssSelector', itemIndex).trim() || 'body';
  const isText = booleanParameter(context, 'onlyContent', itemIndex, false);
  const omitted = textParameter(context, 'elementsToOmit', itemIndex);
  const read = isText ? await textReader(omitted, itemIndex) : (markup: string) => markup;
  const parts = elementsOf($, selector, itemIndex).map((element) => read($(element).html() ?? ''));
  if (parts.length > 0) return parts.join('\n\n');
  throw new NodeOperationError(`the page has no element for the CSS selector ${JSON.stringify(selector)}`, { itemIndex });
}

function elementsOf($: Page, selector: string, itemIndex: number) {
  try {
    return $(selector).toArray();
  } catch (cause) {
    throw selectorError(selector, itemIndex, cause);
  }
}

async function optimized(context: ExecuteContext, itemIndex: number, value: JsonValue): Promise<JsonValue> {
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
