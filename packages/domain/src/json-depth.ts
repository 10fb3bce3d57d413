/**
 * Maximum depth of arrays and objects in stored data: far below the depth that overflows the stack
 * of a recursive reader.
 */
export const maxDataDepth = 512;

/**
 * Whether JSON text is nested deeper than `maxDepth` levels. One pass, which mostly stops long
 * before the end of a hostile text, where `JSON.parse` would take seconds. Counts brackets outside
 * of strings only; does not check whether the text is JSON.
 */
export function exceedsDepth(text: string, maxDepth: number): boolean {
  if (text.length <= 2 * maxDepth) return false; // too short to open and close that many
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function endOfString(text: string, open: number): number {
  let end = text.indexOf('"', open + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}
