import { globalStaticDataKey, isJsonObject, type JsonObject } from '@sluice/domain';
import type { SharedDataAccess } from '@sluice/node-sdk';

/** What all nodes of a workflow share, as one poll or listener reads it, and what it wants kept with its next commit. */
export class SourceSharedData implements SharedDataAccess {
  readonly #readAll: () => Promise<JsonObject | null>;
  #next: JsonObject | undefined;

  /** @param readAll gives the workflow's static data. */
  constructor(readAll: () => Promise<JsonObject | null>) {
    this.#readAll = readAll;
  }

  async read(): Promise<JsonObject> {
    const shared = (await this.#readAll())?.[globalStaticDataKey];
    return isJsonObject(shared) ? shared : {};
  }

  keep(next: JsonObject): void {
    this.#next = next;
  }

  /** What is to be kept, once. */
  take(): JsonObject | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  /** It could not be kept, and comes with the next commit, unless that has something newer. */
  putBack(taken: JsonObject | undefined): void {
    this.#next ??= taken;
  }
}
