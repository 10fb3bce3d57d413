import { parseJson } from '@sluice/node-sdk';
import { DeferredValue } from '../shared/sql/deferred-value.ts';
import { toJson } from '../shared/to-json.ts';

/** Members of the library's packets that are used here. */
export interface RowPacket {
  buffer: Buffer;
  start: number;
  offset: number;
  end: number;
  length(): number;
  readLengthCodedString(encoding: string): string | null;
  readLengthCodedBuffer(): Buffer | null;
  parseJson(encoding: string, bigNumbersAsText: boolean): unknown;
  parseGeometryValue(): unknown;
  parseVector(): unknown;
}

/** Maximum size of a row whose values are parsed at once, in bytes. */
const maxInlineRowBytes = 64 * 1024;

/** The library reuses one packet for many rows. */
const changed = new WeakSet<RowPacket>();

/** Lets a long row return JSON, geometries, and vectors as `DeferredValue`. */
export function deferLongValues(packet: RowPacket): void {
  if (changed.has(packet)) return;
  changed.add(packet);
  const { parseJson: parse } = packet;
  packet.parseJson = (encoding, bigNumbersAsText) =>
    packet.length() > maxInlineRowBytes
      ? deferJson(packet, encoding, bigNumbersAsText)
      : parse.call(packet, encoding, bigNumbersAsText);
  for (const name of ['parseGeometryValue', 'parseVector'] as const) {
    const parse = packet[name];
    packet[name] = () => (packet.length() > maxInlineRowBytes ? deferNumbers(packet, parse) : parse.call(packet));
  }
}

function deferJson(packet: RowPacket, encoding: string, bigNumbersAsText: boolean): DeferredValue | null {
  const text = packet.readLengthCodedString(encoding);
  if (text === null) return null;
  const reviver = bigNumbersAsText ? unsafeIntegersAsText : undefined;
  return new DeferredValue(text.length, () => parseJson(text, undefined, undefined, reviver), true);
}

/**
 * Skips the value and returns it as a `DeferredValue`, whose bytes are parsed as a separate packet.
 */
function deferNumbers(packet: RowPacket, parse: () => unknown): DeferredValue {
  const { offset: from } = packet;
  packet.readLengthCodedBuffer();
  const buffer = packet.buffer.subarray(from, packet.offset);
  const rest: RowPacket = Object.assign(Object.create(packet), { buffer, start: 0, offset: 0, end: buffer.length });
  return new DeferredValue(buffer.length, () => toJson(parse.call(rest)), false);
}

/** As the library does for short JSON. */
function unsafeIntegersAsText(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isUnsafe = typeof value === 'number' && !Number.isSafeInteger(value);
  return isUnsafe && /^-?\d+$/.test(context?.source ?? '') ? context?.source : value;
}
