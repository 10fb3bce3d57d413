import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { encodeForm, encodeQuery, maxFormLength, maxUrlLength } from './form-text.ts';

describe('encodeForm', () => {
  test.each<[string, [string, string][]]>([
    ['no fields', []],
    ['reserved characters', [["a b&=+%*-._~!'()", 'é€😀\0\n']]],
    [
      'empty and repeated names',
      [
        ['', ''],
        ['a', ''],
        ['a', 'b'],
      ],
    ],
    ['lone surrogates', [['\ud800', '\udc00x\ud83d']]],
    ['surrogate pairs where the text is divided', [['a', `x${'😀'.repeat(40_000)}`]]],
    ['a lone surrogate where the text is divided', [['a', `${'x'.repeat(16_383)}\ud83dy`]]],
  ])('encodes as URLSearchParams does: %s', async (_, pairs) => {
    const expected = new URLSearchParams(pairs).toString();
    expect(await encodeForm(pairs)).toBe(expected);
    expect(await encodeForm(pairs, '%20')).toBe(expected.replaceAll('+', '%20'));
  });

  test.each([[' '], ['é'], ['"']])('other work continues while a large value is encoded: %j', async (character) => {
    const text = character.repeat(7_000_000);
    expect(await longestBusy(() => encodeForm([['a', text]]))).toBeLessThan(250);
    expect(await longestBusy(() => encodeForm([[text, 'a']], '%20'))).toBeLessThan(250);
  });
});

test('a form that is too long is rejected before the rest is read', async () => {
  const readNames: string[] = [];
  function* pairs(): Generator<[string, string]> {
    for (const name of ['a', 'b', 'c']) {
      readNames.push(name);
      yield [name, name === 'b' ? ' '.repeat(maxFormLength) : ''];
    }
  }
  await expect(encodeForm(pairs())).rejects.toMatchObject({ code: 'HTTP_INVALID_REQUEST' });
  expect(readNames).toEqual(['a', 'b']);
});

test('a query that is too long for a URL is rejected before it is encoded', async () => {
  expect(encodeQuery([['a', ' '.repeat(maxUrlLength - 2)]])).toHaveLength(maxUrlLength);
  const long = ' '.repeat(14_000_000);
  const refused = () => expect(() => encodeQuery([['a', long]])).toThrow(expect.objectContaining({ code: 'HTTP_INVALID_URL' }));
  expect(await longestBusy(refused)).toBeLessThan(250);
});
