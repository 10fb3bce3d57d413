import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapSliced,
  NodeOperationError,
  parseJson,
} from '@sluice/node-sdk';
import { FieldEditor, type FieldPath, parseFieldPath, readField } from '../../shared/field-path.ts';
import { booleanParameter, choiceParameter, namesParameter, numberParameter, textParameter } from '../../shared/parameters.ts';
import { parseHtml } from '../../shared/parse-html.ts';
import { textReader } from '../html/html-text.ts';
import { selectorError } from '../html/selector-error.ts';

type Page = Awaited<ReturnType<typeof parseHtml>>;

const responseTypes = ['json', 'html', 'text'] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Expected type of a response; `undefined` if responses are not optimized. */
export function optimizedType(context: ExecuteContext, itemIndex: number): ResponseType | undefined {
  if (!booleanParameter(context, 'optimizeResponse', itemIndex, false)) return undefined;
  return choiceParameter(context, 'responseType', itemIndex, responseTypes, 'json');
}

/**
 * The part of a response that a model receives. A string that is not the expected JSON is only
 * shortened.
 */
export async function optimizedResponse(
  context: ExecuteContext,
  itemIndex: number,
  response: JsonValue,
  type: ResponseType,
): Promise<JsonValue> {
  const value = type === 'json' && typeof response === 'string' ? ((await parsed(response)) ?? response) : response;
  if (typeof value !== 'string') return chosenData(context, itemIndex, value);
  return shortened(context, itemIndex, type === 'html' ? await htmlPart(context, itemIndex, value) : value);
}

async function parsed(text: string): Promise<JsonValue | undefined> {
  try {
    return (await parseJson(text)) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The page elements that the selector matches: their markup, or only their text. */
async function htmlPart(context: ExecuteContext, itemIndex: number, html: string): Promise<string> {
  const $ = await parseHtml(html, itemIndex);
  const selector = textParameter(context, 'cssSelector', itemIndex).trim() || 'body';
  const isText = booleanParameter(context, 'onlyContent', itemIndex, false);
  const omitted = textParameter(context, 'elementsToOmit', itemIndex);
  const read = isText ? await textReader(omitted, itemIndex) : (markup: string) => markup;
  const parts = elementsOf($, selector, itemIndex).map((element) => read($(element).html() ?? ''));
  if (parts.length > 0) return parts.join('\n\n');
  throw new NodeOperationError(`the page has no element for the CSS selector ${JSON.stringify(selector)}`, {
    itemIndex,
    description: 'Check the selector; an empty one selects the whole body',
  });
}

function elementsOf($: Page, selector: string, itemIndex: number) {
  try {
    return $(selector).toArray();
  } catch (cause) {
    throw selectorError(selector, itemIndex, cause);
  }
}

async function chosenData(context: ExecuteContext, itemIndex: number, value: JsonValue): Promise<JsonValue> {
  const path = textParameter(context, 'dataField', itemIndex);
  const data = path === '' ? value : (readField(value, parseFieldPath(path)) ?? value);
  const which = choiceParameter(context, 'fieldsToInclude', itemIndex, ['all', 'selected', 'except'], 'all');
  if (which === 'all') return data;
  const paths = namesParameter(context, 'fields', itemIndex).map((name) => parseFieldPath(name));
  const choose = which === 'selected' ? selected : without;
  const pick = (one: JsonValue): JsonValue => (isJsonObject(one) ? choose(one, paths) : one);
  return Array.isArray(data) ? mapSliced(data, pick) : pick(data);
}

function selected(json: JsonObject, paths: readonly FieldPath[]): JsonObject {
  const result = new FieldEditor({});
  for (const path of paths) {
    const value = readField(json, path);
    if (value !== undefined) result.set(path, value);
  }
  return result.json;
}

function without(json: JsonObject, paths: readonly FieldPath[]): JsonObject {
  const result = new FieldEditor(json);
  for (const path of paths) result.remove(path);
  return result.json;
}

/** Model services refuse half of a surrogate pair, which a cut could leave at the end. */
function shortened(context: ExecuteContext, itemIndex: number, text: string): string {
  if (!booleanParameter(context, 'truncateResponse', itemIndex, false)) return text;
  const start = text.slice(0, Math.max(1, numberParameter(context, 'maxLength', itemIndex, 1_000)));
  return start.replace(/[\uD800-\uDBFF]$/, '');
}
