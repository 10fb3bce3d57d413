import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { coercedText } from '../../shared/coerced-text.ts';
import { FieldEditor, type FieldPath, parseFieldPath, readField, withField } from '../../shared/field-path.ts';
import { fieldsParameter, type NamedField, usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, textParameter } from '../../shared/parameters.ts';
import { gatheredBinary } from './gathered-binary.ts';

const nameHint = { itemIndex: 0, description: 'Add the field, with its name in the items' };

interface AggregateRules {
  /**
   * Whether a field that no item has, or a field without a name, is an error rather than an empty
   * list.
   */
  missingFails?: boolean;
  /** Whether a list of the items is paired only with the first item. */
  pairsWithFirst?: boolean;
}

/**
 * One item: lists of field values, or a list of the items themselves. It is paired with each item
 * that it includes.
 */
export function aggregateItems(context: ExecuteContext, rules: AggregateRules = {}): Item {
  const how = choiceParameter(
    context,
    'aggregate',
    0,
    ['aggregateIndividualFields', 'aggregateAllItemData'],
    'aggregateIndividualFields',
  );
  const items = context.items();
  const aggregated =
    how === 'aggregateAllItemData' ? wholeItems(context, items, rules) : individualFields(context, items, rules);
  const binary = booleanParameter(context, 'options.includeBinaries', 0, false)
    ? gatheredBinary(items, booleanParameter(context, 'options.keepOnlyUnique', 0, false))
    : undefined;
  if (binary) aggregated.binary = binary;
  return aggregated;
}

function individualFields(context: ExecuteContext, items: readonly Item[], { missingFails }: AggregateRules): Item {
  const dotNotation = usesDotNotation(context, 0);
  const keepMissing = booleanParameter(context, 'options.keepMissing', 0, false);
  const aggregated = new FieldEditor({});
  for (const { name, path, output } of readFields(context, dotNotation)) {
    const values = items.map((item) => readField(item.json, path));
    if (missingFails && !keepMissing && values.every((value) => value === undefined))
      throw new NodeOperationError(`no item has the field "${name}"`, nameHint);
    if (name !== '') aggregated.set(output, listOf(context, values, keepMissing));
  }
  return { json: aggregated.json, pairedItem: items.map((_, item) => ({ item })) };
}

interface AggregatedField extends NamedField {
  output: FieldPath;
}

function readFields(context: ExecuteContext, dotNotation: boolean): AggregatedField[] {
  const entries = listParameter(context, 'fieldsToAggregate.fieldToAggregate', 0);
  if (entries.length === 0)
    throw new NodeOperationError('the parameter "fieldsToAggregate" must name at least one field', nameHint);
  const outputs = new Set<string>();
  return entries.map(({ fieldToAggregate, renameField, outputFieldName }) => {
    const name = coercedText(fieldToAggregate);
    const renamed = renameField === true ? coercedText(outputFieldName) : undefined;
    const written = renamed ?? name;
    if (outputs.has(written)) throw new NodeOperationError(`two fields to aggregate come out as "${written}"`, renameHint);
    outputs.add(written);
    const output = renamed || (dotNotation ? name.slice(name.lastIndexOf('.') + 1) : name);
    return { name, path: parseFieldPath(name, dotNotation), output: parseFieldPath(output, dotNotation) };
  });
}

const renameHint = { itemIndex: 0, description: 'Give one of them another name' };

function listOf(context: ExecuteContext, values: readonly (JsonValue | undefined)[], keepMissing: boolean): JsonValue[] {
  const mergeLists = booleanParameter(context, 'options.mergeLists', 0, false);
  const present = keepMissing ? values.map((value) => value ?? null) : values.flatMap(withoutNull);
  return mergeLists ? present.flat() : present;
}

/** A list for `flatMap`, without nulls. */
function withoutNull(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return [Array.isArray(value) ? value.filter((element) => element !== null) : value];
}

function wholeItems(context: ExecuteContext, items: readonly Item[], { pairsWithFirst }: AggregateRules): Item {
  const destination = textParameter(context, 'destinationFieldName', 0, 'data');
  const select = readSelection(context);
  const selections = items.flatMap(({ json }, item) => {
    const selected = select ? select(json) : json;
    return select && Object.keys(selected).length === 0 ? [] : [{ selected, item }];
  });
  const list = selections.map(({ selected }) => selected);
  const pairedItem = pairsWithFirst ? { item: 0 } : selections.map(({ item }) => ({ item }));
  return { json: withField({}, parseFieldPath(destination, false), list), pairedItem };
}

/**
 * Picks the fields that an item keeps; `undefined` if it keeps all fields, since no field is named.
 */
function readSelection(context: ExecuteContext): ((json: JsonObject) => JsonObject) | undefined {
  const include = choiceParameter(context, 'include', 0, ['allFields', 'specifiedFields', 'allFieldsExcept'], 'allFields');
  if (include === 'allFields') return undefined;
  const isIncluded = include === 'specifiedFields';
  const parameter = isIncluded ? 'fieldsToInclude' : 'fieldsToExclude';
  const names = new Set(fieldsParameter(context, parameter, 0).map(({ name }) => name));
  if (names.size === 0) return undefined;
  return (json) => Object.fromEntries(Object.entries(json).filter(([key]) => names.has(key) === isIncluded));
}
