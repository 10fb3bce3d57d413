import type { JsonValue } from '@sluice/node-sdk';

/**
 * JSON that a Postgres `jsonb` column accepts: without NUL characters, and with U+FFFD for unpaired
 * surrogates. Each escape is read as a whole, since `\\u0000` is a backslash and plain text.
 */
export function jsonbText(value: JsonValue): string {
  return JSON.stringify(value).replace(/\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g, (match) => {
    if (match === '\\u0000') return '';
    return match.startsWith('\\ud') ? '\ufffd' : match;
  });
}
