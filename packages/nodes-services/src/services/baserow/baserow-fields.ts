import { type JsonObject, type JsonValue, mapSliced } from '@sluice/node-sdk';
import { namesParameter } from '@sluice/nodes-base/node-tools';
import { asText } from '../../shared/json-values.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';
import { onePage } from '../../shared/paging.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

interface Field {
  id: number;
  name: string;
  isReadOnly: boolean;
}

/** A table's fields, by ID and by name. */
class TableFields {
  readonly #byKey = new Map<string, Field>();
  readonly #byName = new Map<string, Field>();

  add(field: Field): void {
    this.#byKey.set(`field_${field.id}`, field);
    this.#byName.set(field.name, field);
  }

  /** `field_12`, for a field ID or name. */
  keyOf(item: ServiceItem, field: JsonValue): string {
    const text = asText(field).trim();
    const match = this.#byKey.get(`field_${text}`) ?? this.#byKey.get(text) ?? this.#byName.get(text);
    if (match) return `field_${match.id}`;
    const name = text.slice(0, 100);
    throw item.error(`the table has no field "${name}"`, 'Choose a field of the table, by its ID or name');
  }

  /** Members of an item that are writable fields. */
  writable(json: Readonly<JsonObject>, ignored: ReadonlySet<string>): JsonObject {
    const pairs: [string, JsonValue][] = [];
    for (const [name, field] of this.#byName) {
      if (field.isReadOnly || ignored.has(name) || !Object.hasOwn(json, name)) continue;
      pairs.push([`field_${field.id}`, json[name] ?? null]);
    }
    return Object.fromEntries(pairs);
  }

  /** Rows with field names. */
  named(rows: readonly JsonObject[]): Promise<JsonObject[]> {
    return mapSliced(rows, (row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [this.#byKey.get(key)?.name ?? key, value])),
    );
  }
}

const tables = new OncePerRun<TableFields>();

export function fieldsOf(item: ServiceItem): Promise<TableFields> {
  const table = tableOf(item);
  return tables.get(item.context, table, () => readFields(item, table));
}

async function readFields(item: ServiceItem, table: string): Promise<TableFields> {
  const path = `/database/fields/table/${table}/`;
  const records = await item.list({ path }, onePage(), Number.POSITIVE_INFINITY);
  const fields = new TableFields();
  await mapSliced(records, ({ id = 0, name = '', read_only: isReadOnly }) => {
    fields.add({ id: Number(id), name: asText(name), isReadOnly: isReadOnly === true });
  });
  return fields;
}

/** Table ID, as part of a path. */
export const tableOf = (item: ServiceItem): string => encodeURIComponent(item.id('tableId').trim());

/** Values that an item writes, by field key. */
export async function valuesOf(item: ServiceItem): Promise<JsonObject> {
  const fields = await fieldsOf(item);
  if (item.text('dataToSend', 'defineBelow') === 'autoMapInputData') {
    const ignored = new Set(namesParameter(item.context, 'inputsToIgnore', item.index));
    return fields.writable(item.context.items()[item.index]?.json ?? {}, ignored);
  }
  const entries = item.entries('fieldsUi.fieldValues');
  return Object.fromEntries(
    entries.map(({ fieldId = '', fieldValue = '' }) => [fields.keyOf(item, fieldId), fieldValue] as const),
  );
}
