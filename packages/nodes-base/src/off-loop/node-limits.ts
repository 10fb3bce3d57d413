import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue, type NodeType } from '@sluice/node-sdk';
import { coercedText, stringOf } from '../shared/coerced-text.ts';
import { hasExpression } from '../shared/has-expression.ts';
import { weightOfParts } from './weight-of-parts.ts';

/** How much data a node may process on the event loop, and how much its written parameters read. */
export interface NodeLimits {
  /** Maximum weight (`jsonWeight`) of inputs and parameters. */
  maxWeight: number;
  /** Maximum number of characters in strings that a run may read. */
  maxCharacters: number;
  /** Weight of the written parameters. If it exceeds `maxWeight`, they were not read further. */
  written: number;
  /**
   * Number of item parts that the parameters read, each at most as heavy as the item; infinite if
   * they read anything else.
   */
  partsRead: number;
  /** Names of parameters that may differ between items. */
  varying: readonly string[];
  /** Whether the node may read strings of its parameters as JSON. */
  readsJson: boolean;
}

/**
 * Maximum weight (`jsonWeight`) of inputs and parameters: about 20 ms for types that take linear,
 * or nearly linear, time.
 */
const maxLinearWeight = 20_000;
/** For types that read each value once or twice: about 10 ms. */
const maxPlainWeight = 50_000;
/**
 * For types whose cost may grow with the product of two parts of an item, or faster than a string's
 * length.
 */
const maxSteepWeight = 2_000;
const plainTypes: ReadonlySet<string> = new Set(['filter', 'if', 'limit', 'set', 'switch']);
/**
 * Maximum string length, for types whose libraries read strings: at most 10 µs per character for
 * the slowest.
 */
const maxText: Readonly<Record<string, number>> = { html: 16_384, 'html-extract': 16_384, xml: 8_192, markdown: 1_024 };
/** Maximum length of text that a Set node may read as JSON, including the surrounding values. */
const maxReadJson = 512 * 1024;
/** Maximum length of a date format: some tokens take 50 µs each. */
const maxFormat = 256;
/** Maximum number of HTML characters, multiplied by selectors. */
const maxSelectedText = 65_536;
/**
 * Maximum length of HTML in which every element is laid out as text, including its nested elements.
 */
const maxNestedText = 512;
/**
 * Maximum length of text that a user's pattern may be matched against: RE2 takes a step for each
 * part of its program.
 */
const maxMatchedText = 1_024;

/** A graph is read once for many runs. */
const limitsByNode = new WeakMap<ExecuteContext['node'], NodeLimits>();

export function limitsOf(type: NodeType, context: ExecuteContext): NodeLimits {
  const { node } = context;
  const limits = limitsByNode.get(node) ?? readLimits(type, context);
  limitsByNode.set(node, limits);
  return limits;
}

function readLimits({ description: { name, properties } }: NodeType, context: ExecuteContext): NodeLimits {
  const { parameters } = context.node;
  const maxWeight = maxWeightOf(name, parameters);
  const written = weightOfParts(parameters, maxWeight);
  // Too many to read all of them in one turn.
  if (written > maxWeight) return { maxWeight, maxCharacters: 0, written, partsRead: 0, varying: [], readsJson: false };
  const names = new Set([...properties.map((property) => property.name), ...Object.keys(parameters)]);
  return {
    maxWeight,
    maxCharacters: maxCharacters(name, context),
    written,
    partsRead: partsRead(parameters),
    varying: [...names].filter((each) => hasExpression(parameters[each])),
    readsJson: name === 'set' && readsJson(parameters),
  };
}

function maxWeightOf(type: string, { include = 'noOtherFields', fieldToSplitOut = '' }: JsonObject): number {
  if (plainTypes.has(type)) return maxPlainWeight;
  // Each list element gets a copy of the other fields, or a field for each list.
  const isOneField = typeof fieldToSplitOut === 'string' && !fieldToSplitOut.includes(',') && !hasExpression(fieldToSplitOut);
  const copiesFields = (type === 'split-out' || type === 'item-lists') && (include !== 'noOtherFields' || !isOneField);
  return copiesFields || type === 'date-time' ? maxSteepWeight : maxLinearWeight;
}

/** An expression that returns a part of its item. */
const partOfItem = /\{\{\s*\$json(?:\.\w+|\[(?:"[^"\\]*"|'[^'\\]*'|\d+)\])*\s*\}\}/g;

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

/** Whether a Set node may read strings as JSON: in JSON mode, and for objects and lists. */
function readsJson({ mode = 'manual', assignments = {}, fields = {} }: JsonObject): boolean {
  const lists = [
    isJsonObject(assignments) ? (assignments['assignments'] ?? []) : assignments,
    isJsonObject(fields) ? (fields['values'] ?? []) : fields,
  ];
  const isPlain = (entry: JsonValue) => isJsonObject(entry) && typeWithoutJson.test(stringOf(entry['type'] ?? 'string'));
  return mode !== 'manual' || !lists.every((list) => Array.isArray(list) && list.every(isPlain));
}

/** Maximum number of characters in strings that a run may read. */
function maxCharacters(type: string, { node: { parameters }, typeVersion }: ExecuteContext): number {
  const unlimited = Number.POSITIVE_INFINITY;
  switch (type) {
    case 'set':
      return readsJson(parameters) ? maxReadJson : unlimited;
    case 'html':
    case 'html-extract':
      return maxHtml(type, parameters, typeVersion);
    case 'markdown': // nested quotes of a few hundred characters block the HTML converter for minutes
      return (parameters['mode'] ?? 'htmlToMarkdown') === 'htmlToMarkdown' ? (maxText[type] ?? 0) : 0;
    case 'xml':
      return maxText[type] ?? 0;
    case 'date-time': // moment caches a function for each format
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
  return formats.some((each) => hasExpression(each) || coercedText(each).length > maxFormat);
}

function mayUseKey(action: JsonValue | undefined): boolean {
  return ['sign', 'encrypt', 'decrypt'].includes(stringOf(action)) || hasExpression(action);
}

function mayExtract(operation: JsonValue | undefined): boolean {
  return operation === 'extractHtmlContent' || hasExpression(operation);
}

/** An expression instead of a list of extractions has an unknown result, so no string is light. */
function maxHtml(type: string, parameters: JsonObject, typeVersion: number): number {
  if (type === 'html' && !mayExtract(parameters['operation'])) return Number.POSITIVE_INFINITY;
  const { sourceData = 'json', extractionValues = {} } = parameters;
  if (sourceData !== 'json' || !isJsonObject(extractionValues)) return 0;
  const values = [extractionValues['values'] ?? []].flat();
  if (!hasPlainSelectors(values)) return 0;
  const isNested = typeVersion >= 1.2 && givesLists(values);
  return Math.min(isNested ? maxNestedText : (maxText[type] ?? 0), maxSelectedText / values.length);
}

/** Names, classes, and IDs, with at most one descendant combinator: without backtracking. */
const plainSelector = /^[\w.#-]{1,100}(?:(?: > | )[\w.#-]{1,100})?$/;

function givesLists(values: readonly JsonValue[]): boolean {
  return values.some((value) => !isJsonObject(value) || (value['returnArray'] ?? false) !== false);
}

function hasPlainSelectors(values: readonly JsonValue[]): boolean {
  return values.every(
    (value) =>
      isJsonObject(value) &&
      [value['cssSelector'], value['skipSelectors'] || '*']
        .map(stringOf)
        .every((selector) => selector === '*' || plainSelector.test(selector)),
  );
}
