import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { exceedsDepth, excessOf } from './json-depth.ts';
import { measureJson } from './json-weight.ts';

test.each([
  ['[[1]]', 2],
  ['{"a":[{"b":1}]}', 3],
  ['[[1],{"a":[2]}]', 3],
  [`[${'[],'.repeat(1_000)}[]]`, 2],
])('%.20s has %i levels', (text, levels) => {
  expect(exceedsDepth(text, levels)).toBe(false);
  expect(exceedsDepth(text, levels - 1)).toBe(true);
  expect(measureJson(JSON.parse(text), 10_000).depth).toBe(levels);
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
])('a hostile string that is %s takes little time', (_, text) => {
  const before = process.cpuUsage();
  exceedsDepth(text, 100);
  // Measures CPU time, so that a busy machine does not fail the test; a check with nonlinear cost
  // would take hours.
  expect(process.cpuUsage(before).user).toBeLessThan(20_000_000);
});

test.each([
  ['nothing', `[${'["]",{}],'.repeat(200_000)}[]]`, undefined],
  ['depth at the end', `[${'[],'.repeat(300_000)}[[[1]]]]`, 'deep'],
  ['depth after a long string', `["${'[\\"'.repeat(400_000)}",[[[1]]]]`, 'deep'],
  ['containers', `[${'{},'.repeat(500_000)}1]`, 'many'],
])('in time slices, %s is the excess', async (_, text, excess) => {
  expect(await excessOf(text, 3, 450_000)).toBe(excess);
});

test('other work continues while a long string is scanned', async () => {
  const text = '1,'.repeat(100_000_000);
  text.charCodeAt(0); // joins the string, which is no part of the measured work
  expect(await longestBusy(() => excessOf(text, 3))).toBeLessThan(250);
});
