import type { ExpressionRequest, GuestSlot } from '../protocol.ts';
import { define } from './define.ts';
import { ExpressionFailure } from './failures.ts';
import { parse } from './json.ts';
import type { Cursor } from './language.ts';

/**
 * `$parameter` or `$node["x"].parameter`: each expression has its value for the current item,
 * computed on the first read. As JSON, the object contains the parameters as written. `open`:
 * leaves that are being computed, shared by all views.
 */
export function parameterView(
  written: object,
  leaves: ExpressionRequest['parameters'],
  cursor: Cursor,
  slotOf: (leaf: number) => string,
  open: Set<number> = new Set(),
): object {
  if (leaves.length === 0) return written;
  const view = { ...written };
  const values = new ParameterValues(cursor, slotOf, open);
  for (const [name, leaf] of leaves) {
    const get = () => values.get(name, leaf);
    Object.defineProperty(view, name, { get, enumerable: true, configurable: true });
  }
  define(view, { toJSON: () => written });
  return view;
}

/** Maximum length of a chain of parameters that refer to each other. */
export const maxOpenParameters = 16;

class ParameterValues {
  readonly #cursor: Cursor;
  readonly #slotOf: (leaf: number) => string;
  /** Parameters whose value is being computed. */
  readonly #open: Set<number>;
  /**
   * The item's slots. A failure may be due to the number of open parameters, so it is not cached.
   */
  readonly #slots = new Map<number, string>();
  #itemIndex = -1;

  constructor(cursor: Cursor, slotOf: (leaf: number) => string, open: Set<number>) {
    this.#cursor = cursor;
    this.#slotOf = slotOf;
    this.#open = open;
  }

  get(name: string, leaf: number | string): unknown {
    if (typeof leaf === 'string') throw new ExpressionFailure(leaf);
    if (this.#open.has(leaf)) throw new ExpressionFailure(`the parameter "${name}" refers to itself`);
    if (this.#open.size === maxOpenParameters)
      throw new ExpressionFailure(`more than ${maxOpenParameters} parameters refer to each other in a row`);
    const slot = this.#knownSlot(leaf) ?? this.#newSlot(leaf);
    const value: GuestSlot = parse(slot);
    if ('message' in value) throw new ExpressionFailure(value.message);
    this.#slots.set(leaf, slot);
    return value[0];
  }

  #knownSlot(leaf: number): string | undefined {
    if (this.#itemIndex !== this.#cursor.itemIndex) this.#slots.clear();
    this.#itemIndex = this.#cursor.itemIndex;
    return this.#slots.get(leaf);
  }

  #newSlot(leaf: number): string {
    this.#open.add(leaf);
    try {
      return this.#slotOf(leaf);
    } finally {
      this.#open.delete(leaf);
    }
  }
}
