import { expect, test } from '@jest/globals';
import { jsonbText } from './jsonb-text.ts';

test.each([
  ['a NUL character', 'a\0b', 'ab'],
  ['an escaped null character as plain text', String.raw`a\u0000b\\u0000`, String.raw`a\u0000b\\u0000`],
  ['half of a surrogate pair', 'a\ud83d b\udc00', 'a\ufffd b\ufffd'],
  ['an escaped half of a surrogate pair as plain text', String.raw`\ud83d`, String.raw`\ud83d`],
  ['other characters', 'ä😀\n"\u001f\\', 'ä😀\n"\u001f\\'],
])('%s', (_, text, stored) => {
  expect(JSON.parse(jsonbText({ [text]: [text] }))).toEqual({ [stored]: [stored] });
});
