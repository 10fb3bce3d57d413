import { type JsonObject, parseJson, stringifyJson } from '@sluice/domain';
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
