import { globalStaticDataKey, isJsonObject, type JsonObject } from '@sluice/domain';
import type { SharedDataAccess } from '@sluice/node-sdk';

/**
 * The data that all nodes of a workflow share: read by one poll or listener, and stored with its
 * next commit.
 */
export class SourceSharedData implements SharedDataAccess {
  readonly #readAll: () => Promise<JsonObject | null>;
  #next: JsonObject | undefined;

  /** @param readAll returns the workflow's static data. */
  constructor(readAll: () => Promise<JsonObject | null>) {
    this.#readAll = readAll;
  }

  async read(): Promise<JsonObject> {
    const shared = (await this.#readAll())?.[globalStaticDataKey];
    return isJsonObject(shared) ? shared : {};
  }

  save(next: JsonObject): void {
    this.#next = next;
  }

  /** Returns the data to store, once. */
  take(): JsonObject | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  /**
   * The data could not be stored, and is included in the next commit unless that has newer data.
   */
  putBack(data: JsonObject | undefined): void {
    this.#next ??= data;
  }
}
