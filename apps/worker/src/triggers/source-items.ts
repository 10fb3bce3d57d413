import { AppError, type Item, type JsonObject, type JsonValue } from '@sluice/domain';
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

/** Items as an execution is started with them: checked, copied, and without secrets. Throws `INVALID_NODE_OUTPUT`, `TRIGGER_DATA_TOO_LARGE`. */
export function startItems(raw: unknown, { nodeName, scrubber, maxBytes }: SourceRules): { items: Item[]; bytes: number } {
  const json = scrubber.scrubJson(JSON.stringify(toSourceItems(raw, nodeName)));
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) throw tooLarge('its items', bytes, maxBytes);
  return { items: JSON.parse(json) as Item[], bytes };
}

/** What a poll has found, output by output, each as an execution is started with it. Throws as `startItems`. */
export function startOutputs(found: unknown, rules: SourceRules): { items: Item[]; output: number }[] {
  return toPollOutputs(found, rules.nodeName).flatMap((raw, output) => {
    const { items } = startItems(raw, rules);
    return items.length > 0 ? [{ items, output }] : [];
  });
}

/** A cursor as it is stored; it holds no secrets either. Throws `TRIGGER_DATA_TOO_LARGE`. */
export function keptCursor(cursor: JsonObject, scrubber: SecretScrubber): JsonObject {
  return keptData('its cursor', cursor, scrubber);
}

/** The same for what the nodes of a workflow share. */
export function keptShared(shared: JsonObject, scrubber: SecretScrubber): JsonObject {
  return keptData('what it shares', shared, scrubber);
}

function keptData(what: string, data: JsonObject, scrubber: SecretScrubber): JsonObject {
  const json = scrubber.scrubJson(JSON.stringify(data as JsonValue));
  const bytes = Buffer.byteLength(json);
  if (bytes > maxCursorBytes) throw tooLarge(what, bytes, maxCursorBytes);
  return JSON.parse(json) as JsonObject;
}

function tooLarge(what: string, bytes: number, maxBytes: number): AppError {
  const message = `${what} of ${bytes} bytes are over the limit of ${maxBytes}`;
  return new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message });
}
