import { type ExecuteContext, type Item, type JsonObject, type JsonValue, NodeOperationError } from '@sluice/node-sdk';
import { parseFieldPath, readField, withField } from '../../shared/field-path.ts';
import { fieldsParameter, usesDotNotation } from '../../shared/named-fields.ts';
import { booleanParameter, choiceParameter, listParameter, textParameter } from '../../shared/parameters.ts';
import { gatheredBinary } from './gathered-binary.ts';

const nameHint = { itemIndex: 0, description: 'Add the field, and give its name as the items have it' };

/** One item of all: lists of the values of fields, or a list of the items themselves. It is paired with every input item. */
export function aggregateItems(context: ExecuteContext): Item {
  const how = choiceParameter(
    context,
    'aggregate',
    0,
    ['aggregateIndividualFields', 'aggregateAllItemData'],
    'aggregateIndividualFields',
  );
  const items = context.items();
  const aggregated: Item = {
    json: how === 'aggregateAllItemData' ? wholeItems(context, items) : individualFields(context, items),
    pairedItem: items.map((_, item) => ({ item })),
  };
  const binary = booleanParameter(context, 'options.includeBinaries', 0, false)
    ? gatheredBinary(items, booleanParameter(context, 'options.keepOnlyUnique', 0, false))
    : undefined;
  if (binary) aggregated.binary = binary;
  return aggregated;
}

function individualFields(context: ExecuteContext, items: readonly Item[]): JsonObject {
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
  return json;
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

function wholeItems(context: ExecuteContext, items: readonly Item[]): JsonObject {
  const destination = textParameter(context, 'destinationFieldName', 0, 'data').trim() || 'data';
  const include = choiceParameter(context, 'include', 0, ['allFields', 'specifiedFields', 'allFieldsExcept'], 'allFields');
  const kept = items.map(({ json }) => json);
  if (include === 'allFields') return withField({}, parseFieldPath(destination, false), kept);
  const parameter = include === 'specifiedFields' ? 'fieldsToInclude' : 'fieldsToExclude';
  const names = new Set(fieldsParameter(context, parameter, 0).map(({ name }) => name));
  const select = (json: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(json).filter(([key]) => names.has(key) === (include === 'specifiedFields')));
  const selected = kept.map(select).filter((json) => Object.keys(json).length > 0);
  return withField({}, parseFieldPath(destination, false), selected);
}
