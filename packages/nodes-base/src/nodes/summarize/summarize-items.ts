import { type ExecuteContext, type Item, type JsonObject, NodeOperationError } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { type FieldPath, parseFieldPath, readField, setOwn } from '../../shared/field-path.ts';
import { fieldsParameter, type NamedField, usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, textParameter } from '../../shared/parameters.ts';
import { type AggregationName, type AggregationRules, aggregationNames, aggregations } from './aggregations.ts';
import { type Group, groupsOf, type SplitBy } from './groups.ts';

const nameHint = { itemIndex: 0, description: 'Add the field, with its name in the items' };

interface Summary extends AggregationRules {
  aggregation: AggregationName;
  path: FieldPath;
  /** Key of the result in the output. */
  output: string;
}

interface SummarizeVersion {
  /** Whether a field that no item has is an error, rather than a summary of nothing. */
  missingFails: boolean;
  splitsBy: SplitBy;
  /** Whether minimum and maximum are numbers; other values are omitted. */
  extremesAreNumbers?: boolean;
  /** Whether empty values are never included. */
  countsNoEmpty?: boolean;
  /** Whether field names are output as written, with dots and brackets. */
  keepsNames?: boolean;
  /**
   * Whether the fields to split by come before the summaries, rather than after them in reverse
   * order.
   */
  groupFirst?: boolean;
}

/**
 * Summarizes fields over all items, or over groups of items with equal values in some fields: an
 * item for each group, or one item that contains the groups by their values.
 */
export function summarizeItems(context: ExecuteContext, version: SummarizeVersion): Item[] {
  const items = context.items();
  const summaries = readSummaries(context, version);
  hintAtTexts(context, summaries);
  const splitBy = fieldsParameter(context, 'fieldsToSplitBy', 0);
  const skipEmpty = booleanParameter(context, 'options.skipEmptySplitFields', 0, false);
  const groups = groupsOf(items, splitBy, { skipEmpty, by: version.splitsBy });
  const format = choiceParameter(context, 'options.outputFormat', 0, ['separateItems', 'singleItem'], 'separateItems');
  if (format === 'singleItem') return [singleItem(items, groups, summaries, splitBy.length)];
  return groups
    .filter(({ values }) => values.length === splitBy.length)
    .map((group) => ({ json: groupJson(items, group, summaries, splitBy, version), pairedItem: pairedWith(group) }));
}

/** A group's common values and its summaries. Their order is the column order in files. */
function groupJson(
  items: readonly Item[],
  group: Group,
  summaries: readonly Summary[],
  splitBy: readonly NamedField[],
  version: SummarizeVersion,
): JsonObject {
  const common = splitBy.map(({ name }, index) => [outputKey(name, version), group.values[index]] as const);
  const json: JsonObject = {};
  const addCommon = (entries: typeof common) => {
    for (const [name, value] of entries) if (value !== undefined) setOwn(json, name, value);
  };
  if (version.groupFirst) addCommon(common);
  summarized(items, group, summaries, json);
  if (!version.groupFirst) addCommon(common.toReversed());
  return json;
}

function readSummaries(context: ExecuteContext, version: SummarizeVersion): Summary[] {
  const dotNotation = usesDotNotation(context, 0);
  const entries = listParameter(context, 'fieldsToSummarize.values', 0);
  if (entries.every(({ field }) => (field ?? '') === ''))
    throw new NodeOperationError('the parameter "fieldsToSummarize" must name at least one field', nameHint);
  return entries.map((_, index) => {
    const path = `fieldsToSummarize.values.${index}`;
    const name = textParameter(context, `${path}.field`, 0);
    const aggregation = choiceParameter(context, `${path}.aggregation`, 0, aggregationNames, 'count');
    const field = parseFieldPath(name, dotNotation);
    if (version.missingFails && name !== '') checkPresent(context, name, field);
    return {
      aggregation,
      path: field,
      output: `${aggregations[aggregation].prefix}_${outputKey(name, version)}`,
      includeEmpty: includesEmpty(context, path, aggregation, version),
      numbersOnly: version.extremesAreNumbers === true,
      separator: readSeparator(context, path),
    };
  });
}

function includesEmpty(
  context: ExecuteContext,
  path: string,
  aggregation: AggregationName,
  version: SummarizeVersion,
): boolean {
  const counts = aggregation === 'count' || aggregation === 'countUnique';
  return !(counts && version.countsNoEmpty) && booleanParameter(context, `${path}.includeEmpty`, 0, false);
}

function checkPresent(context: ExecuteContext, name: string, path: FieldPath): void {
  if (context.items().some(({ json }) => readField(json, path) !== undefined)) return;
  throw new NodeOperationError(`no item has the field "${name}"`, {
    description: 'Check the name, or switch on "Continue if Field Not Found"',
  });
}

function readSeparator(context: ExecuteContext, path: string): string {
  const separator = textParameter(context, `${path}.separateBy`, 0, ',');
  return separator === 'other' ? textParameter(context, `${path}.customSeparator`, 0) : separator;
}

/**
 * Sums and averages omit strings, even strings that contain numbers: a hint on the run informs the
 * author.
 */
function hintAtTexts(context: ExecuteContext, summaries: readonly Summary[]): void {
  for (const { aggregation, path, output } of summaries) {
    if (aggregation !== 'sum' && aggregation !== 'average') continue;
    const isText = ({ json }: Item) => {
      const value = readField(json, path);
      return typeof value === 'string' && value !== '';
    };
    if (!context.items().some(isText)) continue;
    const message = `${output} omits items whose value is text; convert the field to a number before this node`;
    context.addHints?.({ message, type: 'warning' });
  }
}

/** `a.b["c d"]` → `a_bc_d`. */
function outputKey(name: string, { keepsNames }: SummarizeVersion): string {
  return keepsNames ? name : name.replace(/["[\]]/g, '').replace(/[. ]/g, '_');
}

function summarized(items: readonly Item[], group: Group, summaries: readonly Summary[], json: JsonObject): JsonObject {
  for (const { aggregation, path, output, ...rules } of summaries) {
    const values = group.indexes.map((index) => readField(items[index]?.json ?? null, path));
    setOwn(json, output, aggregations[aggregation].of(values, rules));
  }
  return json;
}

/**
 * Nested objects, one level for each field to split by, with the values as keys. It is paired with
 * every item.
 */
function singleItem(items: readonly Item[], groups: readonly Group[], summaries: readonly Summary[], depth: number): Item {
  const json: JsonObject = {};
  for (const group of groups) {
    const level = group.values.reduce<JsonObject>((parent, value) => childOf(parent, stringOf(value)), json);
    if (group.values.length === depth) summarized(items, group, summaries, level);
  }
  return { json, pairedItem: items.map((_, item) => ({ item })) };
}

function childOf(parent: JsonObject, key: string): JsonObject {
  if (!Object.hasOwn(parent, key)) setOwn(parent, key, {});
  return parent[key] as JsonObject;
}

function pairedWith({ indexes }: Group): { item: number }[] {
  return indexes.map((item) => ({ item }));
}
