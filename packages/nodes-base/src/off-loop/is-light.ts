import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonWeight,
  type NodeType,
} from '@sluice/node-sdk';
import { jsonOutputOf } from '../nodes/set/json-output.ts';
import { hasExpression } from '../shared/has-expression.ts';

/*
 * Node runs that stay on the event loop. Starting a thread costs some 50 ms, so a run stays if its cost has a
 * known bound well below the 100 ms that the loop may be held.
 */

/** `weight`: values in all inputs and parameters, see `jsonWeight`. `parameters`: values in parameters, times items. */
const maximum = { weight: 2_000, parameters: 20_000 };
/**
 * For types that read each value once or twice: some 10 ms. A thread takes longer, because items cross to it and
 * back as JSON.
 */
const maximumOfPlain = { weight: 50_000, parameters: 100_000 };
const plainTypes: ReadonlySet<string> = new Set(['filter', 'if', 'set', 'switch']);
/** Pairs of items: some types compare each item of an input with each of another. */
const maxPairs = 2_500;

/** Characters of texts, for types whose libraries read them: at most 10 µs a character for the slowest. */
const maxText: Readonly<Record<string, number>> = { html: 16_384, 'html-extract': 16_384, xml: 8_192, markdown: 1_024 };
/** Characters of text that is nearly JSON: repairing it can take time that grows with the square of its length. */
const maxBrokenJson = 16_384;
/** Characters of HTML, times selectors. */
const maxSelectedText = 65_536;
/** Characters of HTML whose elements are all laid out as text, each with the elements within it. */
const maxNestedText = 512;
/** Characters that a pattern of a user may be tried on: RE2 takes a step for each part of its program. */
const maxMatchedText = 1_024;

/** Whether the run queries by SQL: even a short query may run forever, and its memory is given back only with its thread. */
export function runsSql({ description }: NodeType, context: ExecuteContext): boolean {
  return description.name === 'merge' && resolved(context, 'mode', 0) === 'combineBySql';
}

/** Whether a run costs little, whatever its input holds. */
export function isLight(type: NodeType, context: ExecuteContext): boolean {
  const { description } = type;
  if (runsSql(type, context)) return false;
  if (runsInGuest(description.name, context)) return true;
  const { parameters } = context.node;
  const items = Array.from({ length: Math.max(1, context.inputCount) }, (_, input) => context.items(input));
  const pairs = items.reduce((product, { length }) => product * Math.max(1, length), 1);
  if (pairs > maxPairs) return false;
  const most = plainTypes.has(description.name) ? maximumOfPlain : maximum;
  const inputs = jsonWeight(
    items.map((input) => input.map(({ json }) => json)),
    most.weight,
  );
  if (inputs > most.weight) return false;
  const written = jsonWeight(parameters, most.weight);
  if (written * Math.max(1, context.items().length) > most.parameters) return false;
  const isLightWith = (read: number) => {
    const weight = inputs + written + read;
    return weight <= most.weight && (description.name === 'set' || hasLightText(description.name, context, weight * 64));
  };
  const names = description.properties.map(({ name }) => name);
  // Evaluating the expressions of a Set node takes longer than the rest of its run.
  if (!isLightWith(inputs * partsRead(parameters)) && !isLightWith(weightOfInput(names, context, most.weight))) return false;
  return description.name !== 'set' || !readsJson(parameters) || brokenJsonLength(context) <= maxBrokenJson;
}

/** The sandbox has threads and limits of its own. */
function runsInGuest(type: string, context: ExecuteContext): boolean {
  return type === 'sort' && resolved(context, 'type', 0) === 'code';
}

/** An expression that gives a part of its item. */
const partOfItem = /\{\{\s*\$json(?:\.\w+|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])*\s*\}\}/g;

/** How many parts of its item the parameters read, each at most as heavy as the item; infinite if they read anything else. */
function partsRead(parameters: JsonObject): number {
  let count = 0;
  const open: JsonValue[] = [parameters];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && hasExpression(value)) {
      const rest = value.replace(partOfItem, () => {
        count += 1;
        return '';
      });
      if (rest.includes('{{')) return Number.POSITIVE_INFINITY;
    }
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return count;
}

/** Weight of what expressions give for all items: they may read data that are not among the items. */
function weightOfInput(names: readonly string[], context: ExecuteContext, most: number): number {
  const varying = [...new Set([...names, ...Object.keys(context.node.parameters)])].filter((name) =>
    hasExpression(context.node.parameters[name]),
  );
  let weight = 0;
  for (let itemIndex = 0; itemIndex < context.items().length && weight <= most; itemIndex++) {
    for (const name of varying) weight += jsonWeight(resolved(context, name, itemIndex), most);
  }
  return weight;
}

const typeWithoutJson = /^(?:string|number|boolean)(?:Value)?$/;

/** Whether a Set node may read texts as JSON: in JSON mode, and for objects and lists. */
function readsJson({ mode = 'manual', assignments = {}, fields = {} }: JsonObject): boolean {
  const lists = [
    isJsonObject(assignments) ? (assignments['assignments'] ?? []) : assignments,
    isJsonObject(fields) ? (fields['values'] ?? []) : fields,
  ];
  const isPlain = (entry: JsonValue) => isJsonObject(entry) && typeWithoutJson.test(String(entry['type'] ?? 'string'));
  return mode !== 'manual' || !lists.every((list) => Array.isArray(list) && list.every(isPlain));
}

/** Characters of texts that a Set node may read as JSON and that are not, for all items. */
function brokenJsonLength(context: ExecuteContext): number {
  let length = 0;
  for (let itemIndex = 0; itemIndex < Math.max(1, context.items().length) && length <= maxBrokenJson; itemIndex++) {
    const raw = jsonOutputOf(resolved(context, 'jsonOutput', itemIndex) ?? null);
    if (typeof raw === 'string' && !isJson(raw)) length += raw.length;
    length += brokenObjectsLength(['assignments', 'fields'].map((name) => resolved(context, name, itemIndex)));
  }
  return length;
}

/** Characters of texts, at any depth, that begin like an object and are not JSON. */
function brokenObjectsLength(open: (JsonValue | undefined)[]): number {
  let length = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && /^\s*[{/]/.test(value) && !isJson(value)) length += value.length;
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A failed expression has no value; the node reports it. */
function resolved(context: ExecuteContext, name: string, itemIndex: number): JsonValue | undefined {
  try {
    return context.parameter<JsonValue>(name, itemIndex);
  } catch {
    return undefined;
  }
}

/** `characters`: at most so many in all texts. */
function hasLightText(type: string, context: ExecuteContext, characters: number): boolean {
  const { parameters } = context.node;
  switch (type) {
    case 'html':
    case 'html-extract':
      return (type === 'html' && !mayExtract(parameters['operation'])) || hasLightHtml(type, context, characters);
    case 'markdown': // nested quotes of a few hundred characters hold the converter to HTML for minutes
      return (parameters['mode'] ?? 'htmlToMarkdown') === 'htmlToMarkdown' && characters <= (maxText[type] ?? 0);
    case 'xml':
      return characters <= (maxText[type] ?? 0);
    case 'date-time': // moment keeps a function for each format it has written
      return !hasExpression(parameters['toFormat']);
    case 'crypto':
      return !['sign', 'encrypt', 'decrypt'].includes(String(parameters['action'])) && !hasExpression(parameters['action']);
    default:
      return characters <= maxMatchedText || !/regex/i.test(JSON.stringify(parameters));
  }
}

function mayExtract(operation: JsonValue | undefined): boolean {
  return operation === 'extractHtmlContent' || hasExpression(operation);
}

/** An expression in place of a list of extractions has an unknown result, so it is not light. */
function hasLightHtml(type: string, { node, typeVersion }: ExecuteContext, characters: number): boolean {
  const { sourceData = 'json', extractionValues = {} } = node.parameters;
  if (sourceData !== 'json' || !isJsonObject(extractionValues)) return false;
  const values = [extractionValues['values'] ?? []].flat();
  const isNested = typeVersion >= 1.2 && givesLists(values);
  if (characters > (isNested ? maxNestedText : (maxText[type] ?? 0))) return false;
  return characters * values.length <= maxSelectedText && hasPlainSelectors(values);
}

/** Names, classes and ids, as descendants at most once: without backtracking. */
const plainSelector = /^[\w.#-]{1,100}(?:(?: > | )[\w.#-]{1,100})?$/;

function givesLists(values: readonly JsonValue[]): boolean {
  return values.some((value) => !isJsonObject(value) || (value['returnArray'] ?? false) !== false);
}

function hasPlainSelectors(values: readonly JsonValue[]): boolean {
  return values.every(
    (value) =>
      isJsonObject(value) &&
      [value['cssSelector'], value['skipSelectors'] || '*']
        .map(String)
        .every((selector) => selector === '*' || plainSelector.test(selector)),
  );
}
