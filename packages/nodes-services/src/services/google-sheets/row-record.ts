import { type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { choiceParameter } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import { mappedColumns } from '../../shared/mapped-columns.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** The values that one item writes to a row. */
export interface RowRecord {
  values: JsonObject;
  /** Columns that identify an existing row. */
  matching: readonly string[];
}

/** In the first versions, a document is selected by its ID, and a part of a sheet by a range. */
export const rangeVersions = [1, 2] as const;
/** Version 3 has `dataMode` and `fieldsUi` in place of a resource mapper. */
export const fieldVersions = [3] as const;
export const mappedVersions = [4, 4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7] as const;

export function rowRecord(item: ServiceItem): RowRecord {
  if (item.version >= 4) return mappedColumns(item);
  const match = item.optional('columnToMatchOn');
  const matching = match === undefined ? [] : [match];
  const mode = choiceParameter(item.context, 'dataMode', item.index, dataModes, 'defineBelow');
  if (mode === 'nothing') return { values: {}, matching };
  const { json = {} } = item.context.items()[item.index] ?? {};
  if (mode === 'autoMapInputData') return { values: json, matching };
  const matchValue = match === undefined ? undefined : item.context.parameter<JsonValue>('valueToMatchOn', item.index);
  const values = { ...fieldsOf(item), ...(match !== undefined && matchValue !== undefined && { [match]: matchValue }) };
  return { values, matching };
}

const dataModes = ['autoMapInputData', 'defineBelow', 'nothing'] as const;

/** Append has `fieldValues` with `fieldId`; the other operations have `values` with `column`. */
function fieldsOf(item: ServiceItem): JsonObject {
  const entries = [...item.entries('fieldsUi.fieldValues'), ...item.entries('fieldsUi.values')];
  const fields = entries.map((entry): [string, JsonValue] => [columnOf(entry), ownProperty(entry, 'fieldValue') ?? '']);
  return Object.fromEntries(fields.filter(([name]) => name !== ''));
}

function columnOf({ fieldId, column, columnName }: JsonObject): string {
  const name = fieldId ?? (column === 'newColumn' ? columnName : column) ?? '';
  return asText(name);
}
