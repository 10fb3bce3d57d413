import { type AssignmentType, isJsonObject, type JsonValue } from '@sluice/node-sdk';

export type FieldType = AssignmentType;

/**
 * A value as another type, where the two say the same: `"5"` is a number, `"[1]"` a list, any value a text. `undefined`: it cannot be
 * one. Blank text is no number.
 */
export function convertValue(value: JsonValue, type: FieldType): JsonValue | undefined {
  switch (type) {
    case 'string':
      return toText(value);
    case 'number':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
    case 'array':
      return fromJson(value, Array.isArray);
    case 'object':
      return fromJson(value, isJsonObject);
  }
}

function toText(value: JsonValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function toNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function toBoolean(value: JsonValue): boolean | undefined {
  return typeof value === 'object' ? undefined : booleans.get(String(value).trim().toLowerCase());
}

function fromJson(value: JsonValue, fits: (value: JsonValue) => boolean): JsonValue | undefined {
  const parsed = typeof value === 'string' ? parseJson(value) : value;
  return parsed !== undefined && fits(parsed) ? parsed : undefined;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
