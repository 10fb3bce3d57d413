/**
 * Replaces a backslash in text, which the library would read as a control word. It is not a
 * character, so no string contains it.
 */
const backslash = '\uFDD0';

const windows1252 = new TextDecoder('windows-1252');

/** Escapes a string for RTF, which is ASCII: any other character becomes `\uN?`. */
export function escapeRtf(text: string): string {
  return text
    .replace(/[\\{}]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\line ')
    .replaceAll('\t', '\\tab ')
    .replace(/[^\x20-\x7E]/g, (unit) => [...codeUnits(unit)].map((code) => `\\u${code}?`).join(''));
}

function* codeUnits(text: string): Generator<number> {
  // RTF uses signed 16-bit numbers.
  for (let index = 0; index < text.length; index++) yield (text.charCodeAt(index) << 16) >> 16;
}

/** Decodes RTF escapes. Backslashes in text are replaced, see `restoreBackslashes`. */
export function unescapeRtf(rtf: string): string {
  const escaped = /\\u(-?\d{1,5}) ?(?:\\'[\da-f]{2}|[^\\{}\r\n])?|\\'([\da-f]{2})|\\([\\{}~])|\\(line|tab)\b ?/gi;
  return rtf.replace(escaped, (_, unit?: string, byte?: string, symbol?: string, control?: string) => {
    if (unit !== undefined) return String.fromCharCode(Number(unit));
    if (byte !== undefined) return windows1252.decode(Uint8Array.of(Number.parseInt(byte, 16)));
    if (symbol !== undefined) return symbol === '\\' ? backslash : symbol === '~' ? '\u00A0' : symbol;
    return control?.toLowerCase() === 'line' ? '\n' : '\t';
  });
}

export function restoreBackslashes(text: string): string {
  return text.replaceAll(backslash, '\\');
}
