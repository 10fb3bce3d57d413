import type { Item, JsonObject, JsonValue } from '@sluice/node-sdk';
import { type FieldPath, readField } from './field-path.ts';
import { type Equality, equalVariants, variantOf } from './match-values.ts';

type Values = readonly (JsonValue | undefined)[];

/**
 * Finds the items whose fields equal those of another item; see `Equality`. An item that lacks one
 * of the fields never finds others, and is found only with loose equality. Building and searching
 * take linear time, times the combinations of loosely equal values across fields.
 */
export class MatchIndex {
  readonly #equality: Equality;
  readonly #byKey = new Map<string, number[]>();
  /** Existing variants, by field. */
  readonly #variants: readonly Set<string>[];
  /** Results of loose searches, by key. */
  readonly #found = new Map<string, readonly number[]>();

  constructor(items: readonly Item[], fields: readonly FieldPath[], equality: Equality) {
    this.#equality = equality;
    this.#variants = fields.map(() => new Set());
    for (const [position, { json }] of items.entries()) this.#add(valuesOf(json, fields), position);
  }

  /**
   * Positions of the matching items, in ascending order. `fields` are those of the searching item.
   */
  find(json: JsonObject, fields: readonly FieldPath[]): readonly number[] {
    const values = valuesOf(json, fields);
    if (values.includes(undefined)) return [];
    const variants = values.map((value) => variantOf(value, this.#equality));
    const key = JSON.stringify(variants);
    if (this.#equality === 'exact') return this.#byKey.get(key) ?? [];
    const known = this.#found.get(key);
    if (known) return known;
    const found = this.#findLoosely(variants);
    this.#found.set(key, found);
    return found;
  }

  #add(values: Values, position: number): void {
    if (this.#equality === 'exact' && values.includes(undefined)) return;
    const variants = values.map((value) => variantOf(value, this.#equality));
    for (const [field, variant] of variants.entries()) this.#variants[field]?.add(variant);
    const key = JSON.stringify(variants);
    const same = this.#byKey.get(key);
    if (same) same.push(position);
    else this.#byKey.set(key, [position]);
  }

  #findLoosely(variants: readonly string[]): readonly number[] {
    const choices = variants.map((variant, field) =>
      equalVariants(variant, this.#equality).filter((equal) => this.#variants[field]?.has(equal)),
    );
    const lists: (readonly number[])[] = [];
    for (const combination of combinations(choices)) {
      const positions = this.#byKey.get(JSON.stringify(combination));
      if (positions) lists.push(positions);
    }
    return lists.length < 2 ? (lists[0] ?? []) : lists.flat().sort((a, b) => a - b);
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
