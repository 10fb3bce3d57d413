import { globalStaticDataKey, isJsonObject, type JsonObject, parseJson, stringifyJson } from '@sluice/domain';
import type { SharedDataAccess } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import { tooLarge } from './start-items.ts';

/** Maximum JSON size of a cursor or of shared data. */
const maxStateBytes = 1_048_576;

/** A cursor in stored form, without secrets. Throws `TRIGGER_DATA_TOO_LARGE`. */
export function scrubbedCursor(cursor: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  return scrubbed('its cursor', cursor, scrubber);
}

/** The same for the data that the nodes of a workflow share. */
export function scrubbedSharedData(shared: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  return scrubbed('its shared data', shared, scrubber);
}

async function scrubbed(what: string, data: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  const json = await stringifyJson(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > maxStateBytes) throw tooLarge(what, bytes, maxStateBytes);
  return (await parseJson(await scrubber.scrubJson(json))) as JsonObject;
}

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
