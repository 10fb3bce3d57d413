/** Stands for a backslash of the text, which the reader of the table would take for the begin of a control word; no text has it. */
const backslash = '\uFDD0';

const windows1252 = new TextDecoder('windows-1252');

/** A text as RTF, which is ASCII: all else as `\uN?`, what has a meaning escaped. */
export function escapeRtf(text: string): string {
  return text
    .replace(/[\\{}]/g, '\\$&')
    .replace(/\r\n|\r|\n/g, '\\line ')
    .replaceAll('\t', '\\tab ')
    .replace(/[^\x20-\x7E]/g, (unit) => [...codeUnits(unit)].map((code) => `\\u${code}?`).join(''));
}

function* codeUnits(text: string): Generator<number> {
  // RTF counts in 16 bits with a sign.
  for (let index = 0; index < text.length; index++) yield (text.charCodeAt(index) << 16) >> 16;
}

/** RTF whose characters are themselves rather than escapes; backslashes of the text become a stand-in, see `restoreBackslashes`. */
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
