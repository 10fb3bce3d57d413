import { expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { parseGlob } from './glob-pattern.ts';

const matching = (pattern: string, paths: string[]) => paths.filter((path) => parseGlob(pattern)?.matches(path));

test.each([
  ['/d/*.txt', ['/d/a.txt'], ['/d/a.csv', '/d/s/a.txt', '/d/atxt']],
  ['/d/**/*.txt', ['/d/a.txt', '/d/s/t/a.txt'], ['/e/a.txt']],
  ['/d/**', ['/d/a', '/d/s/a'], ['/e/a']],
  ['/d/a?.txt', ['/d/ab.txt'], ['/d/a.txt', '/d/a/.txt']],
  ['/d/[ab-d].txt', ['/d/a.txt', '/d/c.txt'], ['/d/e.txt']],
  ['/d/[!a].txt', ['/d/b.txt'], ['/d/a.txt', '/d//.txt']],
  ['/d/*.{txt,c*}', ['/d/a.txt', '/d/a.csv'], ['/d/a.xml']],
  ['/d/\\[a\\]*', ['/d/[a]1'], ['/d/a1']],
  ['/d/(x)+.*', ['/d/(x)+.t'], ['/d/xx.t']],
])('%s', (pattern, matches, others) => {
  expect(matching(pattern, [...matches, ...others])).toEqual(matches);
});

test.each(['/d/a.txt', '/d/\\[a\\].txt', '/d/a[.txt', '/d/\\*'])('%s is the path of a single file', (pattern) => {
  expect(parseGlob(pattern)).toBeUndefined();
});

test('a pattern determines where and how deep to search, and whether to include hidden files', () => {
  expect(parseGlob('/d/e/*/x.txt')).toMatchObject({ base: '/d/e', depth: 1, hidden: false });
  expect(parseGlob('/*')).toMatchObject({ base: '/', depth: 0 });
  expect(parseGlob('/d/**/.x*')).toMatchObject({ base: '/d', depth: Number.POSITIVE_INFINITY, hidden: true });
});

test('a pattern designed to cause backtracking matches in linear time', async () => {
  const match = () => expect(parseGlob(`/${'*a'.repeat(60)}b`)?.matches(`/${'a'.repeat(250)}`)).toBe(false);
  expect(await longestBusy(match)).toBeLessThan(250);
  expect(() => parseGlob(`/${'*'.repeat(2_000)}`)).toThrow('longer than 1000');
});
