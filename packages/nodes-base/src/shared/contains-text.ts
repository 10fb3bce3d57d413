/**
 * Maximum search text length for `includes`, in characters: it compares each of them at each
 * position.
 */
const maxPlainPart = 64;

/**
 * Like `text.includes(part)`, but in linear time: for two long strings, `includes` takes time
 * proportional to the product of their lengths.
 */
export function containsText(text: string, part: string): boolean {
  if (part.length <= maxPlainPart || part.length > text.length) return text.includes(part);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = 0; at < text.length && matched < part.length; at += 1)
    matched = extended(part, borders, matched, text.charCodeAt(at));
  return matched === part.length;
}

/**
 * For each prefix of the text, the length of its longest proper prefix that is also a suffix
 * (Knuth, Morris, Pratt: https://en.wikipedia.org/wiki/Knuth–Morris–Pratt_algorithm).
 */
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length + 1);
  for (let at = 1; at < part.length; at += 1) borders[at + 1] = extended(part, borders, borders[at] ?? 0, part.charCodeAt(at));
  return borders;
}

/** The length of the longest prefix of `part` that the text ends with after one more character. */
function extended(part: string, borders: Uint32Array, matched: number, code: number): number {
  let length = matched;
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length] ?? 0;
  return part.charCodeAt(length) === code ? length + 1 : 0;
}
