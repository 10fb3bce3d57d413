import { expect, test } from '@jest/globals';
import { localPath } from './local-path.ts';

const origin = 'https://sluice.example.com';

test.each([
  [undefined, '/'],
  ['/workflows/1?tab=versions#top', '/workflows/1?tab=versions#top'],
  [`${origin}/keys`, '/keys'],
  ['https://other.example.com/', '/'],
  ['//other.example.com/', '/'],
  ['/\\other.example.com', '/'],
  ['/\t/other.example.com', '/'],
  ['javascript:alert(1)', '/'],
  ['https://', '/'],
])('the page after the sign-in, for %j, is %s', (from, path) => {
  expect(localPath(from, origin)).toBe(path);
});
