import { expect, test } from '@jest/globals';
import { parseExactJson } from './parse-exact-json.ts';

test('text is parsed as by JSON.parse', () => {
  const text = '{"a": [1, -2.5e3, null, "1e999"], "__proto__": {"b": 5e-324}, "c": 1e-400}';
  expect(JSON.stringify(parseExactJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  expect(() => parseExactJson('{')).toThrow(SyntaxError);
});

test.each(['1e999', '[{"a": -1e400}]', `${'9'.repeat(400)}`])('a number out of range is an error: %s', (text) => {
  expect(() => parseExactJson(text)).toThrow(/^the number [-\de]{1,20} is out of range$/);
});
