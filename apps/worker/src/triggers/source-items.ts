import { AppError, type Item, type JsonObject, parseJson, stringifyJson } from '@sluice/domain';
import { toPollOutputs, toSourceItems } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';

/** Bytes of JSON that a cursor, or what is shared, may have. */
const maxCursorBytes = 1_048_576;

export interface SourceRules {
  nodeName: string;
  scrubber: SecretScrubber;
  /** Bytes of JSON that the items of one execution may have. */
  maxBytes: number;
}

/**
 * Items as an execution is started with them: checked, copied, and without secrets; many are copied in time slices. Throws
 * `INVALID_NODE_OUTPUT`, `TRIGGER_DATA_TOO_LARGE`.
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

/** What a poll has found, output by output, each as an execution is started with it. Throws as `startItems`. */
export async function startOutputs(found: unknown, rules: SourceRules): Promise<{ items: Item[]; output: number }[]> {
  const outputs: { items: Item[]; output: number }[] = [];
  for (const [output, raw] of toPollOutputs(found, rules.nodeName).entries()) {
    const { items } = await startItems(raw, rules);
    if (items.length > 0) outputs.push({ items, output });
  }
  return outputs;
}

/** A cursor as it is stored; it holds no secrets either. Throws `TRIGGER_DATA_TOO_LARGE`. */
export function keptCursor(cursor: JsonObject, scrubber: SecretScrubber): Promise<JsonObject> {
  return keptData('its cursor', cursor, scrubber);
}

/** The same for what the nodes of a workflow share. */
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
  const message = `${what} of ${bytes} bytes are over the limit of ${maxBytes}`;
  return new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message });
}
