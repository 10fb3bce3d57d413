import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { parseFieldPath, readField, withField } from '../../shared/field-path.ts';
import { fieldsParameter, usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, textParameter } from '../../shared/parameters.ts';
import { gatheredBinary } from './gathered-binary.ts';

const nameHint = { itemIndex: 0, description: 'Add the field, and give its name as the items have it' };

/** One item: lists of the values of fields, or a list of the items themselves. It is paired with each item that it holds. */
export function aggregateItems(context: ExecuteContext): Item {
  const how = choiceParameter(
    context,
    'aggregate',
    0,
    ['aggregateIndividualFields', 'aggregateAllItemData'],
    'aggregateIndividualFields',
  );
  const items = context.items();
  const aggregated = how === 'aggregateAllItemData' ? wholeItems(context, items) : individualFields(context, items);
  const binary = booleanParameter(context, 'options.includeBinaries', 0, false)
    ? gatheredBinary(items, booleanParameter(context, 'options.keepOnlyUnique', 0, false))
    : undefined;
  if (binary) aggregated.binary = binary;
  return aggregated;
}

function individualFields(context: ExecuteContext, items: readonly Item[]): Item {
  const dotNotation = usesDotNotation(context, 0);
  const entries = listParameter(context, 'fieldsToAggregate.fieldToAggregate', 0);
  if (entries.length === 0)
    throw new NodeOperationError('the parameter "fieldsToAggregate" has to name at least one field', nameHint);
  const outputs = new Set<string>();
  let json: JsonObject = {};
  for (const entry of entries) {
    const name = String(entry['fieldToAggregate'] ?? '').trim();
    if (name === '') throw new NodeOperationError('a field to aggregate has no name', nameHint);
    const path = parseFieldPath(name, dotNotation);
    const output = outputName(entry, path.at(-1) ?? name);
    if (outputs.has(output)) throw new NodeOperationError(`two fields to aggregate come out as "${output}"`, renameHint);
    outputs.add(output);
    const values = items.map((item) => readField(item.json, path));
    json = withField(json, parseFieldPath(output, dotNotation), listOf(context, values));
  }
  return { json, pairedItem: items.map((_, item) => ({ item })) };
}

const renameHint = { itemIndex: 0, description: 'Give one of them another name' };

function outputName({ renameField, outputFieldName }: JsonObject, fallback: string): string {
  return (renameField === true ? String(outputFieldName ?? '').trim() : '') || fallback;
}

function listOf(context: ExecuteContext, values: readonly (JsonValue | undefined)[]): JsonValue[] {
  const keepMissing = booleanParameter(context, 'options.keepMissing', 0, false);
  const mergeLists = booleanParameter(context, 'options.mergeLists', 0, false);
  const present = keepMissing ? values.map((value) => value ?? null) : values.flatMap(withoutNull);
  return mergeLists ? present.flat() : present;
}

/** As a list of one for `flatMap`; a list loses its nulls. */
function withoutNull(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return [Array.isArray(value) ? value.filter((element) => element !== null) : value];
}

function wholeItems(context: ExecuteContext, items: readonly Item[]): Item {
  const destination = textParameter(context, 'destinationFieldName', 0, 'data').trim() || 'data';
  const select = readSelection(context);
  const kept = items.flatMap(({ json }, item) => {
    const selected = select ? select(json) : json;
    return select && Object.keys(selected).length === 0 ? [] : [{ selected, item }];
  });
  const list = kept.map(({ selected }) => selected);
  return { json: withField({}, parseFieldPath(destination, false), list), pairedItem: kept.map(({ item }) => ({ item })) };
}

/** Picks the fields that an item keeps; `undefined`: all of them, as if none is named. */
function readSelection(context: ExecuteContext): ((json: JsonObject) => JsonObject) | undefined {
  const include = choiceParameter(context, 'include', 0, ['allFields', 'specifiedFields', 'allFieldsExcept'], 'allFields');
  if (include === 'allFields') return undefined;
  const isIncluded = include === 'specifiedFields';
  const parameter = isIncluded ? 'fieldsToInclude' : 'fieldsToExclude';
  const names = new Set(fieldsParameter(context, parameter, 0).map(({ name }) => name));
  if (names.size === 0) return undefined;
  return (json) => Object.fromEntries(Object.entries(json).filter(([key]) => names.has(key) === isIncluded));
}
