import { ownValue } from '../../../data/own-value.ts';

/** Operations of conditions, as part of a sentence: the value … the other value. */
const labels: Readonly<Record<string, string>> = {
  exists: 'exists',
  notExists: 'does not exist',
  empty: 'is empty',
  notEmpty: 'is not empty',
  equals: 'is equal to',
  notEquals: 'is not equal to',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  notStartsWith: 'does not start with',
  endsWith: 'ends with',
  notEndsWith: 'does not end with',
  regex: 'matches the pattern',
  notRegex: 'does not match the pattern',
  gt: 'is greater than',
  lt: 'is less than',
  gte: 'is at least',
  lte: 'is at most',
  true: 'is true',
  false: 'is false',
  after: 'is after',
  before: 'is before',
  afterOrEquals: 'is at or after',
  beforeOrEquals: 'is at or before',
  lengthEquals: 'has the length',
  lengthNotEquals: 'does not have the length',
  lengthGt: 'is longer than',
  lengthLt: 'is shorter than',
  lengthGte: 'has at least the length',
  lengthLte: 'has at most the length',
};

export function operationLabel(name: string): string {
  return ownValue(labels, name) ?? name;
}
