import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { objectOf, objectsOf, textOf } from '../../shared/json-values.ts';

/** A row of the API, `{ f: [{ v }] }`, as an object with the names and types of the columns. */
export function namedRow(columns: readonly JsonObject[], row: JsonValue | undefined): JsonObject {
  const cells = objectsOf(objectOf(row)['f']);
  return Object.fromEntries(
    columns.map((column, index) => [textOf(column['name']), cellOf(column, cells[index]?.['v'] ?? null)]),
  );
}

function cellOf(column: JsonObject, value: JsonValue): JsonValue {
  if (column['mode'] !== 'REPEATED') return typed(column, value);
  return Array.isArray(value) ? value.map((element) => typed(column, objectOf(element)['v'] ?? null)) : [];
}

function typed(column: JsonObject, value: JsonValue): JsonValue {
  if (isJsonObject(value)) return namedRow(objectsOf(column['fields']), value);
  if (typeof value !== 'string') return value;
  switch (column['type']) {
    case 'INTEGER':
    case 'INT64':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value;
    case 'FLOAT':
    case 'FLOAT64':
      return Number.isFinite(Number(value)) ? Number(value) : value;
    case 'BOOLEAN':
    case 'BOOL':
      return value === 'true';
    case 'TIMESTAMP':
      return timeOf(value);
    default:
      return value;
  }
}

/** Timestamps are whole microseconds since 1970. */
function timeOf(microseconds: string): string {
  const time = new Date(Math.floor(Number(microseconds) / 1_000));
  return Number.isNaN(time.getTime()) ? microseconds : time.toISOString();
}
