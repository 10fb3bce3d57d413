import { type MasterKey, parseMasterKey } from './master-key.ts';

/**
 * The master keys of an installation. The first is primary: it wraps new data keys; the others only
 * open existing ones.
 */
export class KeyRing {
  readonly primary: MasterKey;
  readonly #keys: ReadonlyMap<string, MasterKey>;

  /** Throws if there are no keys. */
  constructor(keys: readonly MasterKey[]) {
    const [primary] = keys;
    if (!primary) throw new Error('a key ring needs a master key');
    this.primary = primary;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** Entries in the format of `parseMasterKey`, the primary one first. */
  static parse(entries: readonly string[]): KeyRing {
    return new KeyRing(entries.map(parseMasterKey));
  }

  get ids(): string[] {
    return [...this.#keys.keys()];
  }

  find(id: string): MasterKey | undefined {
    return this.#keys.get(id);
  }
}
