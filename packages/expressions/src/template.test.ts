import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from './template.ts';
import { TemplateError } from './template-error.ts';

describe('a template', () => {
  test('is one source if all of it is in braces', () => {
    expect(parseTemplate('{{ $json.a }}')).toEqual([{ source: '$json.a' }]);
  });

  test('keeps the text around and between expressions unchanged', () => {
    expect(parseTemplate(' a {{ 1 }}{{ 2 }} b }}')).toEqual([
      { text: ' a ' },
      { source: '1' },
      { source: '2' },
      { text: ' b }}' },
    ]);
  });

  test.each(['plain', '', 'open {{ and no more', '}} {'])('without a closed expression is text: %j', (text) => {
    expect(parseTemplate(text)).toEqual(text === '' ? [] : [{ text }]);
  });

  test.each([
    '{a: {b: 1}}',
    '"}}"',
    "'a\\'}}'",
    '`}}`',
    `\`\${ {a: {}} }\``,
    `\`\${ \`}}\` }\``,
    '$json.a.map(x => { return {x} })',
    '$json.a.replace(/}}/g, "")',
    "$json.a.replace(/[/'\"]/g, '')",
    '$json.a / 2',
  ])('finds the end of %s', (source) => {
    expect(parseTemplate(`{{ ${source} }} 'tail' {{ 1 }}`)).toEqual([{ source }, { text: " 'tail' " }, { source: '1' }]);
  });

  test('ends unreadable source at the first closing braces', () => {
    expect(parseTemplate("{{ it's }} {{ 1 }}")).toEqual([{ source: "it's" }, { text: ' ' }, { source: '1' }]);
    expect(parseTemplate(`{{ \`\${ }} x`)).toEqual([{ source: `\`\${` }, { text: ' x' }]);
  });

  test('tolerates a semicolon at the end', () => {
    expect(parseTemplate('{{ $json.a ; }}')).toEqual([{ source: '$json.a' }]);
  });

  test.each([
    ["$json.a // it's"],
    ['$json.a // {'],
    ["(() => {\n// it's\nconst a = {b: {c: 1}}\nreturn a })()"],
    ['"//" + {a: {b: 1}}.a'],
    ['a++ / 2'],
    ["(() => { return /['}]}/.test($json.a) })()"],
    ['typeof /}}/'],
    ['(/* a */ /}}/).test($json.a)'],
    ['$json.return / 2'],
  ])('finds the end after comments and slashes: %s', (source) => {
    expect(parseTemplate(`{{ ${source} }}{{ 4 / 2 }}`)).toEqual([{ source }, { source: '4 / 2' }]);
  });

  test.each([["/* it's }} */ 1"], ['$json.a / 2 + "}}" / 3'], ['"\\"}}"']])(
    'skips comments, divisions and escapes: %s',
    (source) => {
      expect(parseTemplate(`{{ ${source} }}!`)).toEqual([{ source }, { text: '!' }]);
    },
  );
});

describe('a hostile template', () => {
  test.each([
    ['substitutions', `{{ ${'`${'.repeat(10_000)} }}`],
    ['braces', `{{ ${'{'.repeat(100_000)} }}`],
  ])('that nests %s ten thousand levels deep is an error', (_, text) => {
    expect(() => parseTemplate(text)).toThrow(TemplateError);
  });

  test.each([
    ['braces that open', '{{'],
    ['braces that open and close within', '{{ { }}'],
    ['unbalanced braces', '{{{}}'],
    ['literals that never end', "{{ ' }}"],
    ['templates that never end', '{{ ` }}'],
    ['regular expressions that never end', '{{ / }}'],
    ['comments that never end', '{{ /* }}'],
    ['substitutions', '{{ `$' + '{ }}'],
    ['a backslash', '{{ "\\ }}'],
    ['blanks', '{{ }}       '],
    ['closed expressions', '{{1}}'],
  ])('that repeats %s is read in linear time', (_, unit) => {
    const text = unit.repeat(4_000_000 / unit.length);
    const before = process.cpuUsage();
    try {
      parseTemplate(text);
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateError);
    }
    // Processor time, so that a busy machine does not fail the test. A quadratic parser takes
    // minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
