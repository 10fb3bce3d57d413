import {
  type ExecuteContext,
  type Item,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
} from '@sluice/node-sdk';
import { readField, setOwn } from '../../shared/field-path.ts';
import { type NamedField, pickFields, requiredFields, withoutFields } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, namesParameter } from '../../shared/parameters.ts';
import { mapItems } from '../../shared/per-item.ts';

/** Refers to an item's files, rather than to a field. */
const binaryField = '$binary';

interface SplitPlan {
  fields: readonly NamedField[];
  /** Output fields of the elements; empty: their source fields. */
  destinations: readonly string[];
  /** Empty: no other fields, and objects stay in their field. */
  include: '' | 'noOtherFields' | 'allOtherFields' | 'selectedOtherFields';
  includeBinary: boolean;
  /** Throws if the parameter contains no field. */
  selected(): readonly NamedField[];
}

export interface SplitRules {
  /** Whether an item without the field is an error, rather than dropped. */
  missingFails?: boolean;
  /** Values that are split; other values are an error. Default: every value is split. */
  accepts?: 'lists' | 'containers';
}

/** One item for each element of a list in an item. */
export function splitOutItems(context: ExecuteContext, rules: SplitRules = {}): Promise<Item[]> {
  return mapItems(context, (item, itemIndex) => {
    const plan = readPlan(context, itemIndex);
    for (const field of plan.fields) checkField(item, field, rules, itemIndex);
    return splitItem(item, itemIndex, plan);
  });
}

function checkField(item: Item, { name, path }: NamedField, { missingFails, accepts }: SplitRules, itemIndex: number): void {
  if (name === binaryField && !missingFails) return;
  const value = readField(item.json, path);
  if (value === undefined && missingFails) {
    throw new NodeOperationError(`the item has no field "${name}"`, {
      itemIndex,
      description: 'Check the name, or use version 2.1 or later, where such an item is dropped',
    });
  }
  if (value === undefined || !accepts || Array.isArray(value) || (accepts === 'containers' && isJsonObject(value))) return;
  throw new NodeOperationError(`the field "${name}" must be a list${accepts === 'lists' ? '' : ' or an object'}`, {
    itemIndex,
    description: 'Check the name, or use version 2.2 or later, which splits any value',
  });
}

function readPlan(context: ExecuteContext, itemIndex: number): SplitPlan {
  const fields = requiredFields(context, 'fieldToSplitOut', itemIndex);
  const destinations = namesParameter(context, 'options.destinationFieldName', itemIndex);
  if (destinations.length > 0 && destinations.length !== fields.length) {
    throw new NodeOperationError(
      `the option "destinationFieldName" names ${destinations.length} fields, and ${fields.length} are split out`,
      { itemIndex, description: 'Use one name for each field that is split out, or no names' },
    );
  }
  const includes = ['', 'noOtherFields', 'allOtherFields', 'selectedOtherFields'] as const;
  const include = choiceParameter(context, 'include', itemIndex, includes, 'noOtherFields');
  return {
    fields,
    destinations,
    include,
    includeBinary: booleanParameter(context, 'options.includeBinary', itemIndex, false),
    selected: () => requiredFields(context, 'fieldsToInclude', itemIndex),
  };
}

function splitItem(item: Item, itemIndex: number, plan: SplitPlan): Item[] {
  const columns = plan.fields.map((field) => elementsOf(item, field));
  const length = columns.reduce((longest, column) => Math.max(longest, column.length), 0);
  const others = length > 0 ? otherFields(item.json, plan) : {};
  return Array.from({ length }, (_, row) => {
    const split: Item = { json: rowJson(columns, row, others, plan), pairedItem: { item: itemIndex } };
    const binary = rowBinary(item, row, plan);
    if (binary) split.binary = binary;
    return split;
  });
}

/**
 * A list's elements, an object's values, or the single value. Null and a missing value have no
 * elements.
 */
function elementsOf({ json, binary }: Item, { name, path }: NamedField): readonly JsonValue[] {
  if (name === binaryField) return Object.keys(binary ?? {}).map(() => ({}));
  const value = readField(json, path);
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [value];
  return Array.isArray(value) ? value : Object.values(value);
}

function otherFields(json: JsonObject, { include, fields, selected }: SplitPlan): JsonObject {
  if (include === 'allOtherFields') return withoutFields(json, fields);
  return include === 'selectedOtherFields' ? pickFields(json, selected()) : {};
}

/**
 * Selected fields come after the element; a selected field that is also split out is kept whole.
 * Their order is the column order in files.
 */
function rowJson(columns: readonly (readonly JsonValue[])[], row: number, others: JsonObject, plan: SplitPlan): JsonObject {
  const { fields, destinations, include } = plan;
  const [only] = columns.length === 1 ? columns : [];
  const element = only?.[row];
  // The elements of a nested list get their indexes as names.
  if (isContainer(element) && include === 'noOtherFields' && destinations.length === 0) return { ...element };
  const areSelected = include === 'selectedOtherFields';
  const json = areSelected ? {} : { ...others };
  fields.forEach(({ name }, column) => {
    const value = columns[column]?.[row];
    if (value !== undefined && name !== binaryField) setOwn(json, destinations[column] ?? name, value);
  });
  return areSelected ? { ...json, ...others } : json;
}

function isContainer(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

/**
 * All of the item's files if they are included; one file per item if the files themselves are split
 * out.
 */
function rowBinary({ binary }: Item, row: number, { fields, includeBinary }: SplitPlan): Item['binary'] {
  if (!binary) return undefined;
  if (!fields.some(({ name }) => name === binaryField)) return includeBinary ? binary : undefined;
  const entry = Object.entries(binary)[row];
  return entry && Object.fromEntries([entry]);
}
