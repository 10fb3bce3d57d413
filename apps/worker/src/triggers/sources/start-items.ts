import { AppError, type Item, parseJson, stringifyJson, TimeSlice } from '@sluice/domain';
import { toPollOutputs, toSourceItems } from '@sluice/engine';
import type { SecretScrubber } from '@sluice/vault';

interface StartItemsOptions {
  nodeName: string;
  scrubber: SecretScrubber;
  /** Maximum JSON size of one execution's items. */
  maxBytes: number;
}

/**
 * Items for the start of an execution: checked, copied, and without secrets; many are copied in
 * time slices. Throws `INVALID_NODE_OUTPUT`, `TRIGGER_DATA_TOO_LARGE`.
 */
export async function startItems(
  raw: unknown,
  { nodeName, scrubber, maxBytes }: StartItemsOptions,
): Promise<{ items: Item[]; bytes: number }> {
  const { json, bytes } = await itemsJson(raw, { nodeName, scrubber });
  if (bytes > maxBytes) throw tooLarge('its items', bytes, maxBytes);
  return { items: (await parseJson(json)) as Item[], bytes };
}

async function itemsJson(
  raw: unknown,
  { nodeName, scrubber }: Omit<StartItemsOptions, 'maxBytes'>,
): Promise<{ json: string; bytes: number }> {
  const json = await scrubber.scrubJson(await stringifyJson(toSourceItems(raw, nodeName)));
  return { json, bytes: Buffer.byteLength(json) };
}

/** Bytes in a node run besides its items: times, status, and other outputs. */
const runBytes = 512;

/**
 * A poll's findings by output, each in the form that starts an execution. Items beyond the limit of
 * one execution are split across several: a failed poll would find them again, and more. Throws
 * `INVALID_NODE_OUTPUT`, and `TRIGGER_DATA_TOO_LARGE` for a single item.
 */
export async function startOutputs(result: unknown, rules: StartItemsOptions): Promise<{ items: Item[]; output: number }[]> {
  const outputs: { items: Item[]; output: number }[] = [];
  for (const [output, raw] of toPollOutputs(result, rules.nodeName).entries()) {
    const { json, bytes } = await itemsJson(raw, rules);
    const all = (await parseJson(json)) as Item[];
    const portions = bytes + runBytes > rules.maxBytes ? await portionsOf(all, rules.maxBytes) : [all];
    for (const items of portions) if (items.length > 0) outputs.push({ items, output });
  }
  return outputs;
}

/**
 * Splits items into lists of at most half of `maxBytes` of JSON each, because later nodes add to
 * the items. A larger item gets its own list.
 */
async function portionsOf(items: readonly Item[], maxBytes: number): Promise<Item[][]> {
  const portions: Item[][] = [];
  let remainingBytes = 0;
  const slice = new TimeSlice();
  for (const item of items) {
    if (slice.isOver) await slice.next();
    // With a comma or bracket on each side.
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 2;
    if (bytes + runBytes > maxBytes) throw itemTooLarge(bytes, maxBytes);
    if (bytes > remainingBytes) {
      portions.push([]);
      remainingBytes = maxBytes / 2;
    }
    portions.at(-1)?.push(item);
    remainingBytes -= bytes;
  }
  return portions;
}

function itemTooLarge(bytes: number, maxBytes: number): AppError {
  const message = `one of its items has ${bytes} bytes, too many for the limit of ${maxBytes} (NODE_RUN_MAX_BYTES): let the node return fewer fields, or raise the limit`;
  return new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message });
}

export function tooLarge(what: string, bytes: number, maxBytes: number): AppError {
  const message = `${what} of ${bytes} bytes exceed the limit of ${maxBytes}`;
  return new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message });
}
