import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@sluice/domain';
import { ApplicationError } from '../workflow-module/errors.ts';
import { deepCopy } from '../workflow-module/json.ts';

export interface StaticParts {
  global: JsonObject;
  node: JsonObject;
}

/** Static data that a package reads and changes in place; what it changed is to be stored when it is done. */
export class RunStaticData {
  readonly #before: StaticParts;
  readonly #now: StaticParts;
  #sharedBefore: JsonObject;

  constructor(stored: StaticParts) {
    this.#before = stored;
    this.#sharedBefore = stored.global;
    this.#now = deepCopy(stored) as StaticParts;
  }

  of(part: string): JsonObject {
    return this.#now[staticPart(part)];
  }

  /** What all nodes share, where that is no longer what it was at the last call; for what lives for long. */
  takeShared(): JsonObject | undefined {
    const shared = asData(this.#now.global);
    if (isDeepStrictEqual(shared, this.#sharedBefore)) return undefined;
    this.#sharedBefore = shared;
    return shared;
  }

  /** The parts that are no longer what they were; `undefined`: none. */
  changed(): Partial<StaticParts> | undefined {
    const changed = (['global', 'node'] as const).filter(
      (part) => !isDeepStrictEqual(asData(this.#now[part]), this.#before[part]),
    );
    if (changed.length === 0) return undefined;
    return Object.fromEntries(changed.map((part) => [part, asData(this.#now[part])]));
  }
}

/** Throws for a kind of static data that there is not. */
export function staticPart(name: string): keyof StaticParts {
  if (name === 'global' || name === 'node') return name;
  throw new ApplicationError(`There is no static data of the kind "${name}": "global" and "node" are there`);
}

/** What JSON keeps of it. */
function asData(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
