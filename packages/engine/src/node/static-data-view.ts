import { globalStaticDataKey, isJsonObject, type JsonObject, nodeStaticDataKey, ownProperty } from '@sluice/domain';
import type { StaticData } from '@sluice/sandbox';
import type { RunRequest } from '../ports.ts';
import type { RunState } from './run-state.ts';

/**
 * The workflow's static data as visible to the nodes of one run: the stored data, read once,
 * overlaid with the run's changes.
 */
export class StaticDataView {
  readonly #state: RunState;
  readonly #readStaticData: RunRequest['staticData'];
  #reading: Promise<JsonObject | null> | undefined;

  constructor(state: RunState, readStaticData: RunRequest['staticData']) {
    this.#state = state;
    this.#readStaticData = readStaticData;
  }

  async of(nodeName: string): Promise<StaticData> {
    this.#reading ??= this.#readStaticData?.();
    const stored = (await this.#reading) ?? {};
    const partOf = (key: string): JsonObject => {
      const part = this.#state.staticData.get(key) ?? ownProperty(stored, key);
      return isJsonObject(part) ? part : {};
    };
    return { global: partOf(globalStaticDataKey), node: partOf(nodeStaticDataKey(nodeName)) };
  }
}

/** The parts that a node changed, by storage key. */
export function toStoredParts({ global, node }: Partial<StaticData>, nodeName: string): JsonObject {
  return {
    ...(global && { [globalStaticDataKey]: global }),
    ...(node && { [nodeStaticDataKey(nodeName)]: node }),
  };
}
