import type { JsonValue } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';
import { canonicalJson } from '../../shared/json-equal.ts';
import { isLess, ordered } from '../../shared/ordered.ts';

export const aggregationNames = ['append', 'average', 'concatenate', 'count', 'countUnique', 'max', 'min', 'sum'] as const;
export type AggregationName = (typeof aggregationNames)[number];

/** One summary of a group of items. */
export interface AggregationRules {
  /** Whether missing values, null, and empty text are included. */
  includeEmpty: boolean;
  /** Separator of the strings in `concatenate`. */
  separator: string;
  /** Whether `min` and `max` only compare numbers. */
  numbersOnly: boolean;
}

type FieldValue = JsonValue | undefined;

interface Aggregation {
  /** Prefix of the field name in the output. */
  prefix: string;
  of(values: readonly FieldValue[], rules: AggregationRules): JsonValue;
}

const isEmpty = (value: FieldValue): boolean => value === undefined || value === null || value === '';
const filled = (values: readonly FieldValue[]): JsonValue[] =>
  values.filter((value) => value !== undefined && !isEmpty(value)) as JsonValue[];
const counted = (values: readonly FieldValue[], { includeEmpty }: AggregationRules) => (includeEmpty ? values : filled(values));
const numbers = (values: readonly FieldValue[]): number[] => values.filter((value) => typeof value === 'number');
const compared = (values: readonly FieldValue[], { numbersOnly }: AggregationRules) => (numbersOnly ? numbers(values) : values);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const textOf = (value: FieldValue): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : stringOf(value);

/** The value that is first by `isBefore`, compared as JavaScript does; null without values. */
const extreme = (values: readonly FieldValue[], isBefore: (a: JsonValue, b: JsonValue) => boolean): JsonValue => {
  let first: JsonValue = null;
  for (const value of filled(values)) if (first === null || isBefore(value, first)) first = value;
  return first;
};

export const aggregations: Record<AggregationName, Aggregation> = {
  append: { prefix: 'appended', of: (values, rules) => counted(values, rules).map((value) => value ?? null) },
  average: {
    prefix: 'average',
    of: (values) => {
      const present = numbers(values);
      return present.length === 0 ? null : sum(present) / present.length;
    },
  },
  concatenate: {
    prefix: 'concatenated',
    of: (values, rules) => counted(values, rules).map(textOf).join(rules.separator),
  },
  count: { prefix: 'count', of: (values, rules) => counted(values, rules).length },
  countUnique: {
    prefix: 'unique_count',
    of: (values, rules) => new Set(counted(values, rules).map((value) => canonicalJson(value))).size,
  },
  max: { prefix: 'max', of: (values, rules) => extreme(compared(values, rules), (a, b) => isLess(ordered(b), ordered(a))) },
  min: { prefix: 'min', of: (values, rules) => extreme(compared(values, rules), (a, b) => isLess(ordered(a), ordered(b))) },
  sum: { prefix: 'sum', of: (values) => sum(numbers(values)) },
};
