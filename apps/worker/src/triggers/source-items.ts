import { AppError, type Item, type JsonObject, parseJson, stringifyJson } from '@sluice/domain';
import { toPollOutputs, toSourceItems } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';

/** Maximum JSON of a cursor, or of shared data. */
const maxCursorBytes = 1_048_576;

export interface SourceRules {
  nodeName: string;
  scrubber: SecretScrubber;
  /** Maximum JSON of the items of one execution. */
  maxBytes: number;
}

/**
 * Items for the start of an execution: checked, copied, and without secrets; many are copied in
 * time slices. Throws `INVALID_NODE_OUTPUT`, `TRIGGER_DATA_TOO_LARGE`.
 */
export async function startItems(
  raw: unknown,
  { nodeName, scrubber, maxBytes }: SourceRules,
): Promise<{ items: Item[]; bytes: number }> {
  const json = await scrubber.scrubJson(await stringifyJson(toSourceItems(raw, nodeName)));
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) throw tooLarge('its items', bytes, maxBytes);
  return { items: (await parseJson(json)) as Item[], bytes };
}

/**
 * Findings of a poll by output, each in the form that starts an execution. Throws the errors of
 * `startItems`.
 */
export async function startOutputs(found: unknown, rules: SourceRules): Promise<{ items: Item[]; output: number }[]> {
  const outputs: { items: Item[]; output: number }[] = [];
  for (const [output, raw] of toPollOutputs(found, rules.nodeName).entries()) {
    const { items } = await startItems(raw, rules);
    if (items.length > 0) outputs.push({ items, output });
  }
  return outputs;
}

/** A cursor in stored form, without secrets. Throws `TRIGGER_DATA_TOO_LARGE`. */
export function keptCursor(cursor: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  return keptData('its cursor', cursor, scrubber);
}

/** The same for the data that the nodes of a workflow share. */
export function keptShared(shared: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  return keptData('what it shares', shared, scrubber);
}

async function keptData(what: string, data: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  const json = await stringifyJson(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > maxCursorBytes) throw tooLarge(what, bytes, maxCursorBytes);
  return (await parseJson(await scrubber.scrubJson(json))) as JsonObject;
}

function tooLarge(what: string, bytes: number, maxBytes: number): AppError {
  const message = `${what} of ${bytes} bytes exceed the limit of ${maxBytes}`;
  return new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message });
}
