import type { StaticData } from '../api.ts';
import { ExpressionFailure } from './failures.ts';
import { parse, stringify } from './json.ts';

/** The workflow's and the node's static data, as live objects; changes are reported at the end. */
export class StaticDataAccess {
  readonly #before: Record<keyof StaticData, string>;
  readonly #live = new Map<keyof StaticData, unknown>();

  constructor({ global, node }: StaticData) {
    this.#before = { global: stringify(global), node: stringify(node) };
  }

  /** The function `$getWorkflowStaticData`. */
  get(type: unknown): unknown {
    if (type !== 'global' && type !== 'node')
      throw new ExpressionFailure(`static data is "global" or "node", not "${String(type)}"`);
    const live = this.#live.get(type) ?? parse(this.#before[type]);
    this.#live.set(type, live);
    return live;
  }

  /** JSON text of an object with the changed parts; `undefined` if unchanged. */
  changes(): string | undefined {
    const changed: string[] = [];
    for (const [type, live] of this.#live) {
      const text = stringify(live) ?? '{}';
      if (text !== this.#before[type]) changed.push(`"${type}":${text}`);
    }
    return changed.length > 0 ? `{${changed.join()}}` : undefined;
  }
}
