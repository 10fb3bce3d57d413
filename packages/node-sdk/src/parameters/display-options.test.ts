import { describe, expect, test } from '@jest/globals';
import { isDisplayed } from './display-options.ts';

const scope = {
  siblings: { mode: 'b', inner: { deep: 1 } },
  parameters: { mode: 'a', tags: ['x', 'y'], id: { __rl: true, mode: 'id', value: '7' }, count: 3 },
  typeVersion: 1.2,
};

describe('a parameter is visible', () => {
  test.each([
    [{}, true],
    [{ show: { mode: ['b'] } }, true],
    [{ show: { '/mode': ['b'] } }, false],
    [{ show: { mode: ['b'], count: [4] } }, false],
    [{ hide: { mode: ['b'] } }, false],
    [{ show: { tags: ['y'] } }, true],
    [{ show: { id: ['7'] } }, true],
    [{ show: { 'inner.deep': [1] } }, true],
    [{ show: { '@version': [1.2, 2] } }, true],
    [{ show: { '@version': [{ _cnd: { gte: 1.1 } }] } }, true],
    [{ show: { '@version': [{ _cnd: { between: { from: 1.3, to: 2 } } }] } }, false],
    [{ show: { count: [{ _cnd: { lt: 3 } }, { _cnd: { eq: 3 } }] } }, true],
    [{ show: { mode: [{ _cnd: { not: 'b' } }] } }, false],
    [{ show: { mode: [{ _cnd: { startsWith: 'b' } }] } }, true],
    [{ show: { mode: [{ _cnd: { regex: '^[ab]$' } }] } }, true],
    [{ show: { none: [{ _cnd: { exists: true } }] } }, false],
    [{ show: { mode: [{ _cnd: { unheardOf: 1 } }] } }, false],
  ])('with %j: %p', (options, shows) => {
    expect(isDisplayed(options as never, scope)).toBe(shows);
  });
});

test('a pattern is tested only on the start of a long value', () => {
  const options = { show: { mode: [{ _cnd: { regex: 'b' } }] } };
  const showsWith = (mode: string) => isDisplayed(options, { siblings: { mode }, parameters: { mode }, typeVersion: 1 });
  expect([showsWith(`${' '.repeat(999)}b`), showsWith(`${' '.repeat(1_000)}b`)]).toEqual([true, false]);
});
