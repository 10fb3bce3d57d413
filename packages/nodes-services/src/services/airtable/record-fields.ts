import { type JsonObject, type JsonValue, ownProperty } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { mappedColumns } from '../../shared/mapped-columns.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

interface MappedFields {
  fields: JsonObject;
  /** ID of the record, if the column `id` has a value. */
  id: string | undefined;
  /** Fields that identify existing records; empty if the ID does. */
  matching: readonly string[];
}

/**
 * Reads the parameter `columns`. An item of an earlier Airtable node has `id` and `createdTime`,
 * which are not fields.
 */
export function mappedFields(item: ServiceItem): MappedFields {
  const { values, matching } = mappedColumns(item, 'columns', ignoredFields(item));
  const { id, createdTime: _, ...fields } = values;
  const byFields = matching.filter((column) => column !== 'id');
  return {
    fields,
    id: typeof id === 'string' && id !== '' ? id : undefined,
    matching: matching.includes('id') ? [] : byFields,
  };
}

export function ownId(item: ServiceItem, id: string | undefined): string {
  if (id !== undefined) return id;
  throw item.error('the column "id" has no value', 'Set it to the ID of the record to change, such as {{ $json.id }}');
}

/** Fields in version 1: all fields of the item, or the ones listed in `fields`. */
export function legacyFields(item: ServiceItem, isAll: boolean): JsonObject {
  const { json = {} } = item.context.items()[item.index] ?? {};
  const ignored = ignoredFields(item);
  const names = isAll
    ? Object.keys(json).filter((name) => !ignored.includes(name))
    : namesParameter(item.context, 'fields', item.index);
  const fields = names.map((name): [string, JsonValue | undefined] => [name, ownProperty(json, name)]);
  return Object.fromEntries(fields.filter((field): field is [string, JsonValue] => field[1] !== undefined));
}

const ignoredFields = (item: ServiceItem): string[] => namesParameter(item.context, 'options.ignoreFields', item.index);
