import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import type { ServiceItem } from '../../shared/service-item.ts';
import { tablePath } from './airtable-client.ts';
import { baseOf, tableOf } from './airtable-properties.ts';

/** Changes the record with the ID, or creates one. Resolves to the record. */
export function writeRecord(
  item: ServiceItem,
  { id, fields }: { id?: string; fields: JsonObject },
): Promise<JsonValue | undefined> {
  const path = tablePath(baseOf(item), tableOf(item), id);
  return item.send({ method: id === undefined ? 'POST' : 'PATCH', path, json: { fields, ...castOption(item) } });
}

export function castOption(item: ServiceItem): { typecast?: true } {
  return item.toggle('options.typecast') ? { typecast: true } : {};
}
