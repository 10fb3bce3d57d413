import type { JsonValue } from '@sluice/node-sdk';
import { asText } from './json-values.ts';

/**
 * Column names; an empty name is replaced by one derived from its position, and a repeated name
 * gets a number.
 */
export function columnNames(row: readonly JsonValue[], offset = 0): string[] {
  const names = new Set<string>();
  const counts = new Map<string, number>();
  for (let index = 0; index < row.length; index++) {
    const name = asText(row[index]) || `col_${offset + index + 1}`;
    let unique = name;
    let count = counts.get(name) ?? 1;
    while (names.has(unique)) unique = `${name}_${++count}`;
    counts.set(name, count);
    names.add(unique);
  }
  return [...names];
}

/** Cells contain text, numbers, and booleans. */
export const cellOf = (value: JsonValue): JsonValue =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value;

export const isEmptyRow = (row: readonly JsonValue[]): boolean => row.every((cell) => cell === '' || cell === null);
