import { type MasterKey, parseMasterKey } from './master-key.ts';

/** The master keys of an installation. The first is primary: it wraps what is written; the others only open what is there. */
export class KeyRing {
  readonly primary: MasterKey;
  readonly #keys: ReadonlyMap<string, MasterKey>;

  /** Throws when there is no key. */
  constructor(keys: readonly MasterKey[]) {
    const [primary] = keys;
    if (!primary) throw new Error('a key ring needs a master key');
    this.primary = primary;
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** Entries as `parseMasterKey` takes them, the primary one first. */
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
