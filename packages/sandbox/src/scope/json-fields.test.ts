import { expect, test } from '@jest/globals';
import { jsonFieldsOf } from './json-fields.ts';

test.each<[string, string[]]>([
  ['$json.a.trim()', ['a']],
  ['$json?.a + $json["b c"] + $json?.["d"]', ['a', 'b c', 'd']],
  ['$json .a\n.b', ['a']],
  [`\`\${$json.a}\` + $json.a`, ['a']],
  ['$("N").item.json.x + 1', []],
  ['"$json.a"', ['a']],
])('fields that are read by name are found: %s', (source, fields) => {
  expect(jsonFieldsOf(source)).toEqual(fields);
});

test.each([
  '$json',
  'f($json)',
  '$json[name]',
  '$json[0]',
  '$json.keys()',
  '$json.isEmpty ()',
  '$json["keys"]()',
  '$json.keys?.()',
  '$json.tag`x`',
  '{ ...$json }',
  '"a" in $json',
  '$json.a + $input.first().json.b',
  '$json.a + $item(0).$json.b',
  '$json.a + $thisItem.json.b',
  '$json.a + this.$x',
  '$json.a + globalThis[x]',
  '$json.a + \\u0024json.b',
  '$json.a + eval(b)',
])('all fields are assumed to be read if the source is unclear: %s', (source) => {
  expect(jsonFieldsOf(source)).toBeUndefined();
});
