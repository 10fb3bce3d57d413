import type { GuestCustomData } from '../protocol.ts';
import { ExpressionFailure } from './failures.ts';

/** `$execution.customData`: strings by which executions can be found. */
export class CustomData {
  readonly #limits: GuestCustomData;
  readonly #values: Map<string, string>;
  readonly #changed = new Map<string, string>();

  constructor(host: GuestCustomData) {
    this.#limits = host;
    this.#values = new Map(Object.entries(host.values));
  }

  get(key: unknown): string | undefined {
    return this.#values.get(String(key));
  }

  getAll(): Record<string, string> {
    return Object.fromEntries(this.#values);
  }

  set(key: unknown, value: unknown): void {
    const { maxEntries, maxKeyLength, maxValueLength } = this.#limits;
    const [name, text] = [String(key), String(value)];
    if (!/^\w+$/.test(name) || name.length > maxKeyLength) {
      throw new ExpressionFailure(
        `a key of custom data has letters, digits and "_", at most ${maxKeyLength}; not "${name.substring(0, 100)}"`,
      );
    }
    if (text.length > maxValueLength)
      throw new ExpressionFailure(`a value of custom data has at most ${maxValueLength} characters`);
    if (!this.#values.has(name) && this.#values.size >= maxEntries) {
      throw new ExpressionFailure(`an execution has at most ${maxEntries} entries of custom data`);
    }
    this.#values.set(name, text);
    this.#changed.set(name, text);
  }

  setAll(values: unknown): void {
    if (typeof values !== 'object' || values === null) throw new ExpressionFailure('setAll() takes an object');
    for (const [key, value] of Object.entries(values)) this.set(key, value);
  }

  /** The changed values; `undefined` if nothing changed. */
  changes(): Record<string, string> | undefined {
    return this.#changed.size > 0 ? Object.fromEntries(this.#changed) : undefined;
  }
}
