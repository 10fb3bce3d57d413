import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { withBodyFields, withFormFields } from './body-fields.ts';

const fieldsOf = (form: string) => [...new URLSearchParams(form)];

describe('withFormFields', () => {
  test.each<[string, [string, string][]]>([
    ['', [['a', '1']]],
    ['a=1&b=2', [['c', 'x y&=']]],
    ['a=1&b=2&a=3', [['a', 'new']]],
    ['b=1&a', [['a', '']]],
    ['%61+%26=1&b=2', [['a &', '3']]],
    ['a=1&&=&b=2', [['', '3']]],
    ['?a=1&?%61=2', [['a', '3']]],
    ['?a=1&?%61=2', [['?a', '3']]],
    ['%F0%9F%98%80=1&b=2', [['😀', '3']]],
    [
      'a=1',
      [
        ['b', '2'],
        ['c', '3'],
        ['b', '4'],
      ],
    ],
    [
      'a=1&b=2&c=3',
      [
        ['c', '4'],
        ['a', '5'],
      ],
    ],
  ])('sets fields in %j as URLSearchParams does: %j', async (form, fields) => {
    const expected = new URLSearchParams(`&${form}`);
    for (const [name, value] of fields) expected.set(name, value);
    expect(fieldsOf(`&${await withFormFields(form, fields)}`)).toEqual([...expected]);
  });

  test('other fields keep their text', async () => {
    expect(await withFormFields('a=%7e~&key=x&b=c%20d&key=y', [['key', 'v']])).toBe('a=%7e~&key=v&b=c%20d');
  });
});

const large: [string, string, string][] = [
  ['a form with spaces', 'application/x-www-form-urlencoded', `a=${'+'.repeat(15_000_000)}`],
  ['a form with escapes', 'application/x-www-form-urlencoded', `a=${'%20'.repeat(5_000_000)}`],
  ['a form with a long name', 'application/x-www-form-urlencoded', '%20'.repeat(5_000_000)],
  ['a form with many fields', 'application/x-www-form-urlencoded', 'a=1&'.repeat(1_000_000)],
  ['a form with many values to replace', 'application/x-www-form-urlencoded', 'key=&'.repeat(1_000_000)],
  ['a JSON object', 'application/json', `{"list":[${'{},'.repeat(5_000_000)}{}]}`],
];
test.each(large)('a field added to 15 MB never blocks the event loop: %s', async (_, type, body) => {
  const request = { method: 'POST', url: 'http://a.example', headers: { 'content-type': type }, body };
  let changed: string | undefined;
  const busy = await longestBusy(async () => {
    changed = (await withBodyFields(request, [['key', 'v']])).body as string;
  });
  expect(changed).toMatch(/key=v|"key":"v"\}$/);
  expect(busy).toBeLessThan(250);
});
