const percent = 0x25;
const plus = 0x2b;
const space = 0x20;

/**
 * Replaces each `%XX` by its byte, and, in form data, each `+` by a space. Incomplete escapes
 * remain unchanged.
 */
export function percentDecode(escaped: Buffer, { isForm = false } = {}): Buffer {
  const bytes = Buffer.allocUnsafe(escaped.length);
  let length = 0;
  for (let at = 0; at < escaped.length; length++) {
    const byte = escaped[at] as number;
    const value = byte === percent ? hexDigit(escaped[at + 1]) * 16 + hexDigit(escaped[at + 2]) : Number.NaN;
    const isEscape = !Number.isNaN(value);
    bytes[length] = isEscape ? value : isForm && byte === plus ? space : byte;
    at += isEscape ? 3 : 1;
  }
  return bytes.subarray(0, length);
}

/** The position before `end` at which text can be cut without cutting an escape. */
export function cutBetweenEscapes(escaped: Buffer, end: number): number {
  const last = escaped.indexOf(percent, end - 2);
  return last === -1 || last > end ? Math.min(end, escaped.length) : last;
}

function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : Number.NaN;
}
