import type { JsonValue } from '@sluice/node-sdk';
import { stringOf } from './coerced-text.ts';
import { canonicalJson } from './json-equal.ts';

/**
 * How two values are compared.
 *
 * `exact`: by type and value. `loose`: additionally, a number equals its text, a boolean equals its
 * text and 1 or 0, an object equals its JSON text, and all of missing, null, empty text and empty
 * list are equal. `looseZero`: additionally, null equals 0. Loose equality is not transitive: 0
 * equals false and "0", but "0" does not equal "false".
 */
export type Equality = 'exact' | 'loose' | 'looseZero';

export function valuesEqual(a: JsonValue | undefined, b: JsonValue | undefined, equality: Equality): boolean {
  if (a === b) return true;
  const variant = variantOf(b, equality);
  return variantOf(a, equality) === variant || equalVariants(variantOf(a, equality), equality).includes(variant);
}

const empty = 'empty';
const isNull = 'null';
const emptyList = 'list';
const textOf = (text: string) => `=${text}`;

/** A string that two values share if both equal the same values. */
export function variantOf(value: JsonValue | undefined, equality: Equality): string {
  if (equality === 'exact') return canonicalJson(value);
  if (value === undefined || value === '') return empty;
  if (value === null) return isNull;
  if (Array.isArray(value) && value.length === 0) return emptyList;
  if (typeof value === 'object') return textOf(canonicalJson(value));
  return typeof value === 'boolean' ? stringOf(value) : textOf(stringOf(value));
}

const looseVariants: ReadonlyMap<string, readonly string[]> = new Map([
  [empty, [empty, isNull, emptyList]],
  [isNull, [empty, isNull, emptyList]],
  [emptyList, [empty, isNull, emptyList, textOf('[]')]],
  [textOf('[]'), [textOf('[]'), emptyList]],
  ['true', ['true', textOf('true'), textOf('1')]],
  ['false', ['false', textOf('false'), textOf('0')]],
  [textOf('true'), [textOf('true'), 'true']],
  [textOf('false'), [textOf('false'), 'false']],
  [textOf('1'), [textOf('1'), 'true']],
  [textOf('0'), [textOf('0'), 'false']],
]);

/** The variants of all values that equal a value with this variant. */
export function equalVariants(variant: string, equality: Equality): readonly string[] {
  const variants = (equality !== 'exact' && looseVariants.get(variant)) || [variant];
  if (equality !== 'looseZero') return variants;
  if (variant === isNull) return [...variants, textOf('0')];
  return variant === textOf('0') ? [...variants, isNull] : variants;
}
