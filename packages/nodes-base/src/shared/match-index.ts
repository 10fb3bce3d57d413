import type { Item, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FieldPath, readField } from './field-path.ts';
import { type Equality, equalVariants, variantOf } from './match-values.ts';

type Values = readonly (JsonValue | undefined)[];

/** Items whose fields have the same variants. */
interface Group {
  variants: readonly string[];
  positions: number[];
}

/**
 * Finds the items whose fields equal another item's fields; see `Equality`. An item that lacks a
 * field never finds others, and is found only with loose equality. Building takes linear time. A
 * search looks up each combination of equal values across the fields, or compares all groups if
 * there are fewer of them.
 */
export class MatchIndex {
  readonly #equality: Equality;
  readonly #groups = new Map<string, Group>();
  /** Existing variants, by field. */
  readonly #variants: readonly Set<string>[];
  /** Results of loose searches, by key. */
  readonly #found = new Map<string, readonly number[]>();

  constructor(items: readonly Item[], fields: readonly FieldPath[], equality: Equality) {
    this.#equality = equality;
    this.#variants = fields.map(() => new Set());
    for (const [position, { json }] of items.entries()) this.#add(valuesOf(json, fields), position);
  }

  /** Positions of the matching items, in ascending order. `fields` are the searching item's. */
  find(json: JsonObject, fields: readonly FieldPath[]): readonly number[] {
    const values = valuesOf(json, fields);
    if (values.includes(undefined)) return [];
    const variants = values.map((value) => variantOf(value, this.#equality));
    const key = JSON.stringify(variants);
    if (this.#equality === 'exact') return this.#groups.get(key)?.positions ?? [];
    const cached = this.#found.get(key);
    if (cached) return cached;
    const matches = this.#findLoosely(variants);
    this.#found.set(key, matches);
    return matches;
  }

  #add(values: Values, position: number): void {
    if (this.#equality === 'exact' && values.includes(undefined)) return;
    const variants = values.map((value) => variantOf(value, this.#equality));
    for (const [field, variant] of variants.entries()) this.#variants[field]?.add(variant);
    const key = JSON.stringify(variants);
    const same = this.#groups.get(key);
    if (same) same.positions.push(position);
    else this.#groups.set(key, { variants, positions: [position] });
  }

  #findLoosely(variants: readonly string[]): readonly number[] {
    const choices = variants.map((variant, field) =>
      equalVariants(variant, this.#equality).filter((equal) => this.#variants[field]?.has(equal)),
    );
    const lists = [...this.#groupsWith(choices)].map(({ positions }) => positions);
    return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a - b);
  }

  /** The groups whose fields each have one of the variants chosen for the field. */
  *#groupsWith(choices: readonly (readonly string[])[]): Generator<Group> {
    const count = choices.reduce((product, { length }) => product * length, 1);
    if (count > this.#groups.size) {
      for (const group of this.#groups.values())
        if (group.variants.every((variant, field) => choices[field]?.includes(variant))) yield group;
      return;
    }
    for (const combination of combinations(choices)) {
      const group = this.#groups.get(JSON.stringify(combination));
      if (group) yield group;
    }
  }
}

function valuesOf(json: JsonObject, fields: readonly FieldPath[]): Values {
  return fields.map((path) => readField(json, path));
}

/** All combinations of one choice per field. */
function* combinations(choices: readonly (readonly string[])[], chosen: readonly string[] = []): Generator<readonly string[]> {
  const options = choices[chosen.length];
  if (!options) {
    yield chosen;
    return;
  }
  for (const option of options) yield* combinations(choices, [...chosen, option]);
}
