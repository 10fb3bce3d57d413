import { describe, expect, test } from '@jest/globals';
import { parseTemplate } from './template.ts';

describe('a template', () => {
  test('is one source when the whole of it is in braces', () => {
    expect(parseTemplate('{{ $json.a }}')).toEqual([{ source: '$json.a' }]);
  });

  test('keeps the text around and between expressions as it is', () => {
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

  test('ends source that cannot be read at the first closing braces', () => {
    expect(parseTemplate("{{ it's }} {{ 1 }}")).toEqual([{ source: "it's" }, { text: ' ' }, { source: '1' }]);
    expect(parseTemplate(`{{ \`\${ }} x`)).toEqual([{ source: `\`\${` }, { text: ' x' }]);
  });

  test('forgives a semicolon at the end', () => {
    expect(parseTemplate('{{ $json.a ; }}')).toEqual([{ source: '$json.a' }]);
  });
});
