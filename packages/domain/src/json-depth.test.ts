import { expect, test } from '@jest/globals';
import { exceedsDepth } from './json-depth.ts';

test.each([
  ['[[1]]', 2],
  ['{"a":[{"b":1}]}', 3],
  ['[[1],{"a":[2]}]', 3],
  [`[${'[],'.repeat(1_000)}[]]`, 2],
])('%.20s has %i levels', (text, levels) => {
  expect(exceedsDepth(text, levels)).toBe(false);
  expect(exceedsDepth(text, levels - 1)).toBe(true);
});

test.each(['["[[[["]', '{"a\\"[[[[":1}', '["\\\\"]', '["\\\\\\"[[[["]', '["é[[[["]', '["[[[['])(
  'brackets within the strings of %s do not count',
  (text) => {
    expect(exceedsDepth(text, 1)).toBe(false);
  },
);

test('brackets after a string that ends with a backslash count', () => {
  expect(exceedsDepth('["\\\\",[[1]]]', 2)).toBe(true);
});

test.each([
  ['nested', '['.repeat(8_000_000)],
  ['of escaped quotes', `["${'\\"'.repeat(4_000_000)}"]`],
  ['one string of backslashes', `["${'\\'.repeat(8_000_000)}`],
  ['of short strings', `["${'","'.repeat(2_500_000)}"]`],
])('a hostile text that is %s takes little time', (_, text) => {
  const before = process.cpuUsage();
  exceedsDepth(text, 100);
  // CPU time, so that a busy machine does not fail the test; a check whose cost is not linear would
  // take hours.
  expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
});
