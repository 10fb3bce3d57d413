import {
  type ExecuteContext,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonWeight,
  type NodeType,
  TimeSlice,
} from '@sluice/node-sdk';
import type { MergePlan } from '../nodes/merge/merge-plan.ts';
import { readMergePlan } from '../nodes/merge/read-merge-plan.ts';
import { jsonOutputOf } from '../nodes/set/json-output.ts';
import { hasExpression } from '../shared/has-expression.ts';

/*
 * Node runs that stay on the event loop. Starting a thread costs some 50 ms, and items cross to it and back as JSON. So a run stays
 * if its cost has a known bound well below the 100 ms that the loop may be held, or if it is divided into steps that have.
 */

/** Values (`jsonWeight`) in inputs and parameters: some 20 ms for types that are linear, or nearly so. */
const maxWeight = 20_000;
/** For types that read each value once or twice: some 10 ms. */
const maxPlainWeight = 50_000;
/** Where the cost may grow with the product of two parts of an item, or faster than a text. */
const maxSteepWeight = 2_000;
const plainTypes: ReadonlySet<string> = new Set(['filter', 'if', 'limit', 'set', 'switch']);
/** Types that process items one after another in time slices, so that the limits hold for each item. */
const dividedTypes: ReadonlySet<string> = new Set([...plainTypes, 'crypto', 'date-time', 'rename-keys', 'split-out']);
/** Values in parameters, times items. */
const maxParameters = 100_000;
/** Pairs of items: some types compare each item of an input with each of another. */
const maxPairs = 2_500;

/** Characters that weigh as much as one value, see `jsonWeight`. */
const charactersPerValue = 64;
/** Characters of texts, for types whose libraries read them: at most 10 µs a character for the slowest. */
const maxText: Readonly<Record<string, number>> = { html: 16_384, 'html-extract': 16_384, xml: 8_192, markdown: 1_024 };
/** Characters of text that is nearly JSON: repairing it can take time that grows with the square of its length. */
const maxBrokenJson = 16_384;
/** Characters of text that a Set node may read as JSON, with the values around it. */
const maxReadJson = 512 * 1024;
/** Characters of texts whose names and paths cost little, whatever they are. */
const maxShortTexts = 2_048;
/** Characters of a format for dates: some tokens take 50 µs each. */
const maxFormat = 256;
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
  if (comparesPairs(description.name, context) && pairsOf(context) > maxPairs) return false;
  return new Scales(type, context).isLight(0, context.items().length);
}

const linearPlans: ReadonlySet<MergePlan['kind']> = new Set(['append', 'choose', 'emptyItem', 'position']);

function comparesPairs(type: string, context: ExecuteContext): boolean {
  if (context.inputCount < 2) return false;
  try {
    return type !== 'merge' || !linearPlans.has(readMergePlan(context).kind);
  } catch {
    return true; // the node reports the failure
  }
}

function pairsOf(context: ExecuteContext): number {
  let pairs = 1;
  for (let input = 0; input < context.inputCount; input += 1) pairs *= Math.max(1, context.items(input).length);
  return pairs;
}

/** Whether the run is divided into steps that each cost little. In time slices. */
export async function isDivided(type: NodeType, context: ExecuteContext): Promise<boolean> {
  if (!dividedTypes.has(type.description.name)) return false;
  const scales = new Scales(type, context);
  const slice = new TimeSlice();
  for (let index = 0; index < context.items().length; index += 1) {
    if (!scales.isLight(index, index + 1)) return false;
    if (slice.isOver) await slice.next();
    context.signal.throwIfAborted();
  }
  return true;
}

/** Compares what a run reads with the limits of its type. */
class Scales {
  readonly #context: ExecuteContext;
  readonly #maxWeight: number;
  readonly #maxCharacters: number;
  readonly #written: number;
  readonly #partsRead: number = 0;
  /** Parameters may get texts of the items. */
  readonly #weigh: typeof jsonWeight = jsonWeight;
  readonly #varying: readonly string[] = [];
  readonly #readsJson: boolean = false;
  #brokenJson = 0;

  constructor({ description: { name, properties } }: NodeType, context: ExecuteContext) {
    const { parameters } = context.node;
    const names = new Set([...properties.map((property) => property.name), ...Object.keys(parameters)]);
    this.#context = context;
    this.#maxWeight = maxWeightOf(name, parameters);
    this.#maxCharacters = maxCharacters(name, context);
    this.#written = weightOfParts(parameters, this.#maxWeight);
    if (this.#written > this.#maxWeight) return; // too many to read them all in one turn
    this.#partsRead = partsRead(parameters);
    if (this.#partsRead > 0 && this.#partsRead < Number.POSITIVE_INFINITY) this.#weigh = weightOfParts;
    this.#varying = [...names].filter((each) => hasExpression(parameters[each]));
    this.#readsJson = name === 'set' && readsJson(parameters);
  }

  /** For items of input 0 from `start` on, up to `end`, and all of the other inputs. */
  isLight(start: number, end: number): boolean {
    if (this.#written > this.#maxWeight || this.#written * (end - start) > maxParameters) return false;
    const inputs = this.#weightOfInputs(start, end);
    // Evaluating expressions may take longer than the rest of the run.
    const isLight =
      this.#isLightWith(inputs, inputs * this.#partsRead) || this.#isLightWith(inputs, this.#weightRead(start, end));
    if (!isLight || !this.#readsJson) return isLight;
    this.#brokenJson += brokenJsonLength(this.#context, start, end);
    return this.#brokenJson <= maxBrokenJson;
  }

  #isLightWith(inputs: number, read: number): boolean {
    const weight = inputs + this.#written + read;
    return weight <= this.#maxWeight && weight * charactersPerValue <= this.#maxCharacters;
  }

  #weightOfInputs(start: number, end: number): number {
    let weight = 0;
    for (let input = 0; input < Math.max(1, this.#context.inputCount); input += 1) {
      const items = this.#context.items(input);
      const last = input === 0 ? end : items.length;
      for (let index = input === 0 ? start : 0; index < last && weight <= this.#maxWeight; index += 1)
        weight += this.#weigh(items[index]?.json, this.#maxWeight);
    }
    return weight;
  }

  /** Weight of what expressions give: they may read data that are not among the items. */
  #weightRead(start: number, end: number): number {
    let weight = 0;
    for (let index = start; index < end && weight <= this.#maxWeight; index += 1) {
      for (const name of this.#varying) weight += weightOfParts(resolved(this.#context, name, index), this.#maxWeight);
    }
    return weight;
  }
}

/**
 * As `jsonWeight`, where a text weighs as much as the names, steps of paths, or levels of JSON that it may have. Data whose texts
 * are short together is not read again: a step of a path takes a microsecond.
 */
function weightOfParts(root: unknown, most: number): number {
  let weight = jsonWeight(root, most);
  const hasShortTexts = weight * charactersPerValue <= maxShortTexts;
  const open: unknown[] = weight > most || hasShortTexts ? [] : [root];
  while (open.length > 0 && weight <= most) {
    const value = open.pop();
    if (typeof value === 'string') weight += separatorsIn(value);
    else if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) open.push(member);
  }
  return weight;
}

function separatorsIn(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x2e || code === 0x5b) count += 1; // , . [
  }
  return count;
}

function maxWeightOf(type: string, { include = 'noOtherFields', fieldToSplitOut = '' }: JsonObject): number {
  if (plainTypes.has(type)) return maxPlainWeight;
  // Each element of a list gets a copy of the other fields, or a field for each list.
  const isOneField = typeof fieldToSplitOut === 'string' && !fieldToSplitOut.includes(',') && !hasExpression(fieldToSplitOut);
  const copiesFields = (type === 'split-out' || type === 'item-lists') && (include !== 'noOtherFields' || !isOneField);
  return copiesFields || type === 'date-time' ? maxSteepWeight : maxWeight;
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

/** Characters of texts that a Set node may read as JSON and that are not. */
function brokenJsonLength(context: ExecuteContext, start: number, end: number): number {
  let length = 0;
  for (let itemIndex = start; itemIndex < Math.max(1, end) && length <= maxBrokenJson; itemIndex++) {
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

/** Characters of texts that a run may read. */
function maxCharacters(type: string, { node: { parameters }, typeVersion }: ExecuteContext): number {
  const unlimited = Number.POSITIVE_INFINITY;
  switch (type) {
    case 'set':
      return readsJson(parameters) ? maxReadJson : unlimited;
    case 'html':
    case 'html-extract':
      return maxHtml(type, parameters, typeVersion);
    case 'markdown': // nested quotes of a few hundred characters hold the converter to HTML for minutes
      return (parameters['mode'] ?? 'htmlToMarkdown') === 'htmlToMarkdown' ? (maxText[type] ?? 0) : 0;
    case 'xml':
      return maxText[type] ?? 0;
    case 'date-time': // moment keeps a function for each format it has written
      return hasLongFormat(parameters) ? 0 : unlimited;
    case 'crypto':
      return mayUseKey(parameters['action']) ? 0 : unlimited;
    default:
      return /regex/i.test(JSON.stringify(parameters)) ? maxMatchedText : unlimited;
  }
}

function hasLongFormat({ toFormat, format, customFormat, options = {} }: JsonObject): boolean {
  const fromFormat = isJsonObject(options) ? options['fromFormat'] : options;
  const formats = [toFormat, format, customFormat, fromFormat];
  return formats.some((each) => hasExpression(each) || String(each ?? '').length > maxFormat);
}

function mayUseKey(action: JsonValue | undefined): boolean {
  return ['sign', 'encrypt', 'decrypt'].includes(String(action)) || hasExpression(action);
}

function mayExtract(operation: JsonValue | undefined): boolean {
  return operation === 'extractHtmlContent' || hasExpression(operation);
}

/** An expression in place of a list of extractions has an unknown result, so no text is light. */
function maxHtml(type: string, parameters: JsonObject, typeVersion: number): number {
  if (type === 'html' && !mayExtract(parameters['operation'])) return Number.POSITIVE_INFINITY;
  const { sourceData = 'json', extractionValues = {} } = parameters;
  if (sourceData !== 'json' || !isJsonObject(extractionValues)) return 0;
  const values = [extractionValues['values'] ?? []].flat();
  if (!hasPlainSelectors(values)) return 0;
  const isNested = typeVersion >= 1.2 && givesLists(values);
  return Math.min(isNested ? maxNestedText : (maxText[type] ?? 0), maxSelectedText / values.length);
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
