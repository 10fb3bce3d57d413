import { type JsonObject, parseJson, stringifyJson } from '@sluice/domain';
import { ApplicationError } from '../workflow-module/errors.ts';

export interface StaticParts {
  global: JsonObject;
  node: JsonObject;
}

/** The parts as JSON. */
type Texts = Readonly<Record<keyof StaticParts, string>>;

/**
 * Static data that a package reads and changes in place; changes are stored at the end. A workflow
 * may have megabytes of static data, so it is copied and compared as JSON text, in time slices.
 */
export class RunStaticData {
  readonly #before: Texts;
  readonly #now: StaticParts;
  /** Parts that the package has read; the others cannot have changed. */
  readonly #read = new Set<keyof StaticParts>();
  readonly #changed = new Set<keyof StaticParts>();
  #sharedBefore: string;

  private constructor(before: Texts, now: StaticParts) {
    this.#before = before;
    this.#sharedBefore = before.global;
    this.#now = now;
  }

  static async open({ global, node }: StaticParts): Promise<RunStaticData> {
    const before = { global: await stringifyJson(global), node: await stringifyJson(node) };
    return new RunStaticData(before, { global: await dataOf(before.global), node: await dataOf(before.node) });
  }

  of(part: string): JsonObject {
    const name = staticPart(part);
    this.#read.add(name);
    return this.#now[name];
  }

  /** The global part if it changed since the last call; for long-lived contexts. */
  async takeShared(): Promise<JsonObject | undefined> {
    if (!this.#read.has('global')) return undefined;
    const shared = await stringifyJson(this.#now.global);
    if (shared === this.#sharedBefore) return undefined;
    this.#sharedBefore = shared;
    return dataOf(shared);
  }

  /**
   * The parts that differ from their initial value, or differed at an earlier call, whose result
   * may have been stored; `undefined` if no part did.
   */
  async changed(): Promise<Partial<StaticParts> | undefined> {
    const changed: Partial<StaticParts> = {};
    for (const part of this.#read) {
      const text = await stringifyJson(this.#now[part]);
      if (text !== this.#before[part]) this.#changed.add(part);
      if (this.#changed.has(part)) changed[part] = await dataOf(text);
    }
    return Object.keys(changed).length > 0 ? changed : undefined;
  }
}

/** Throws for an unknown kind of static data. */
export function staticPart(name: string): keyof StaticParts {
  if (name === 'global' || name === 'node') return name;
  throw new ApplicationError(`Unknown kind of static data "${name}": use "global" or "node"`);
}

async function dataOf(text: string): Promise<JsonObject> {
  return (await parseJson(text)) as JsonObject;
}
