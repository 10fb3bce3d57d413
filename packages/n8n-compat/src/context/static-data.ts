import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@sluice/domain';
import { ApplicationError } from '../workflow-module/errors.ts';
import { deepCopy } from '../workflow-module/json.ts';

export interface StaticParts {
  global: JsonObject;
  node: JsonObject;
}

/** Static data that a package reads and changes in place; changes are stored at the end. */
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

  /** The global part if it changed since the last call; for long-lived contexts. */
  takeShared(): JsonObject | undefined {
    const shared = asData(this.#now.global);
    if (isDeepStrictEqual(shared, this.#sharedBefore)) return undefined;
    this.#sharedBefore = shared;
    return shared;
  }

  /** The changed parts; `undefined` if there are none. */
  changed(): Partial<StaticParts> | undefined {
    const changed = (['global', 'node'] as const).filter(
      (part) => !isDeepStrictEqual(asData(this.#now[part]), this.#before[part]),
    );
    if (changed.length === 0) return undefined;
    return Object.fromEntries(changed.map((part) => [part, asData(this.#now[part])]));
  }
}

/** Throws for an unknown kind of static data. */
export function staticPart(name: string): keyof StaticParts {
  if (name === 'global' || name === 'node') return name;
  throw new ApplicationError(`There is no static data of the kind "${name}": "global" and "node" are there`);
}

/** The data as JSON keeps it. */
function asData(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
