import { isJsonObject, type JsonObject, JsonText, type JsonValue, parseJson } from '@sluice/domain';

/** Text in place of omitted parts. */
export const cutMark = /\[cut: \d+ more (?:characters|entries|members)\]/;

type CutPart = 'characters' | 'entries' | 'members';

const mark = (count: number, of: CutPart) => `[cut: ${count} more ${of}]`;

/** Length of a mark as JSON with its key, in characters. */
const markLength = 60;

/** A part of a cut value has at least this many characters. */
const minShare = 100;

interface FittedJson {
  text: string;
  /** Whether parts were omitted. */
  isCut: boolean;
}

/**
 * JSON text of about `maxLength` characters at most. Of a larger value, short parts stay whole,
 * long strings and lists keep their beginning, and marks state how much is missing. A `JsonText`
 * that has to be cut is parsed in time slices.
 */
export async function fitJson(value: JsonValue, maxLength: number): Promise<FittedJson> {
  if (lengthOf(value, maxLength) <= maxLength) return { text: JSON.stringify(value), isCut: false };
  return { text: JSON.stringify(await cut(value, maxLength)), isCut: true };
}

/** Length of the JSON text; stops once it exceeds `most`. */
function lengthOf(value: JsonValue | undefined, most: number): number {
  if (value instanceof JsonText) return value.text.length;
  if (typeof value === 'string') return value.length > most ? value.length + 2 : JSON.stringify(value).length;
  if (typeof value !== 'object' || value === null) return String(value).length;
  let length = 2;
  if (Array.isArray(value)) {
    for (const entry of value) {
      if (length > most) return length;
      length += lengthOf(entry, most - length) + 1;
    }
    return length;
  }
  for (const [name, member] of Object.entries(value)) {
    if (length > most) return length;
    length += keyLength(name) + lengthOf(member, most - length);
  }
  return length;
}

function keyLength(name: string): number {
  return name.length + 4;
}

async function cut(value: JsonValue, maxLength: number): Promise<JsonValue> {
  if (lengthOf(value, maxLength) <= maxLength) return value;
  if (value instanceof JsonText)
    return cut((await parseJson(value.text, undefined, Number.POSITIVE_INFINITY)) as JsonValue, maxLength);
  if (typeof value === 'string') return cutText(value, maxLength);
  if (Array.isArray(value)) return cutList(value, maxLength);
  return isJsonObject(value) ? cutObject(value, maxLength) : value;
}

function cutText(text: string, maxLength: number): string {
  let end = Math.max(0, Math.min(text.length, maxLength - markLength));
  // Escaped characters are longer.
  while (end > 0 && lengthOf(text.slice(0, end), maxLength) > maxLength - markLength) end = Math.floor(end * 0.8);
  return `${text.slice(0, end).toWellFormed()}${mark(text.length - end, 'characters')}`;
}

/** The first entry that does not fit is cut if it would leave half of the length unused. */
async function cutList(list: readonly JsonValue[], maxLength: number): Promise<JsonValue[]> {
  const keptEntries: JsonValue[] = [];
  let remaining = maxLength - markLength;
  for (const entry of list) {
    const length = lengthOf(entry, remaining) + 1;
    const fits = length <= remaining;
    if (fits || remaining > Math.max(minShare, maxLength / 2)) keptEntries.push(fits ? entry : await cut(entry, remaining - 1));
    if (!fits) break;
    remaining -= length;
  }
  return keptEntries.length < list.length ? [...keptEntries, mark(list.length - keptEntries.length, 'entries')] : keptEntries;
}

/** Short members stay whole; the long ones share what is left. */
async function cutObject(object: JsonObject, maxLength: number): Promise<JsonObject> {
  const members = Object.entries(object)
    .map(([name, member], index) => ({ name, member, index, length: keyLength(name) + lengthOf(member, maxLength) }))
    .sort((a, b) => a.length - b.length);
  const keptMembers: { name: string; member: JsonValue; index: number }[] = [];
  let remaining = maxLength - markLength;
  for (const [i, { name, member, index, length }] of members.entries()) {
    const share = Math.max(minShare, remaining / (members.length - i));
    if (Math.min(length, share) > remaining) break;
    keptMembers.push({ name, index, member: length <= share ? member : await cut(member, share - keyLength(name)) });
    remaining -= Math.min(length, share);
  }
  const missing = members.length - keptMembers.length;
  const entries = keptMembers.sort((a, b) => a.index - b.index).map(({ name, member }): [string, JsonValue] => [name, member]);
  return Object.fromEntries(missing > 0 ? [...entries, ['[cut]', mark(missing, 'members')]] : entries);
}
