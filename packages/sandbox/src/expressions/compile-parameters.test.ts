import { expect, test } from '@jest/globals';
import { maxHostSources, maxHostSourcesLength } from '../limits.ts';
import { compileParameters } from './compile-parameters.ts';

/** Number of the expressions that the host evaluates. */
function countInHost(sources: readonly string[]): number {
  return compileParameters({ list: sources.map((source) => `={{ ${source} }}`) }).batch.filter(({ host }) => host).length;
}

test('the host parses a limited number of expressions of a node; the guest evaluates the rest', () => {
  const sources = Array.from({ length: 5_000 }, (_, at) => `/a${at}/.test($json.a)`);
  expect(countInHost(sources.slice(0, maxHostSources))).toBe(maxHostSources);
  expect(countInHost(sources)).toBe(maxHostSources);
});

test('the host parses a limited length of expressions of a node; the guest evaluates the rest', () => {
  const regexes = Array.from({ length: 20 }, (_, at) => `/a${at}/.test($json.a)`).join('||');
  const sources = Array.from({ length: 100 }, (_, at) => `${at}||${regexes}`);
  const inHost = countInHost(sources);
  expect(inHost).toBeGreaterThan(0);
  expect(inHost * regexes.length).toBeLessThanOrEqual(maxHostSourcesLength);
});
