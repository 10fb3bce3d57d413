import { CompletionContext } from '@codemirror/autocomplete';
import { syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { describe, expect, test } from '@jest/globals';
import { completeTemplate, expressionTemplate } from './expression-language.ts';

const data = {
  item: { name: 'Ada', tags: ['new'], address: { city: 'Bern', 'zip code': '3000' }, count: 2, nothing: null },
  nodes: [
    { name: 'Orders', item: { id: 7, customer: { email: 'a@example.com' } } },
    { name: 'It\'s "new"', item: undefined },
  ],
};
const dataOf = () => data;

/** The names offered at the `|` of a template, and the text that a choice replaces. */
function complete(template: string, explicit = false) {
  const position = template.indexOf('|');
  const state = EditorState.create({ doc: template.replace('|', '') });
  const result = completeTemplate(new CompletionContext(state, position, explicit), dataOf);
  return result && { replaced: state.sliceDoc(result.from, position), labels: result.options.map(({ label }) => label) };
}

const fields = ['name', 'tags', 'address', 'count', 'nothing'];

describe('completion in an expression', () => {
  test.each([
    ['{{ $json.| }}', '', fields],
    ['{{ $json.na| }}', 'na', fields],
    ['a {{ 1 }} b {{ 2 + $json?.|', '', fields],
    ['{{ $json.address.| }}', '', ['city', 'zip code']],
    ['{{ $json["address"].| }}', '', ['city', 'zip code']],
    ['{{ ($json).address.c| }}', 'c', ['city', 'zip code']],
    ['{{ $json.address.|city }}', '', ['city', 'zip code']],
    ['{{ {a: {b: $json.|}} }}', '', fields],
    ['{{ $input.first().json.| }}', '', fields],
    ['{{ $("Orders").item.json.| }}', '', ['id', 'customer']],
    ["{{ $('Orders').first().json.customer.| }}", '', ['email']],
    ['{{ $node["Orders"].json.customer.| }}', '', ['email']],
    ['{{ $("Orders").last().| }}', '', ['json', 'binary']],
    ['{{ $execution.customData.| }}', '', ['get()', 'getAll()', 'set()', 'setAll()']],
    ['{{ $("|") }}', '', ['Orders', 'It\'s "new"']],
    ['{{ $("Or|', 'Or', ['Orders', 'It\'s "new"']],
  ])('%s', (template, replaced, labels) => {
    expect(complete(template)).toEqual({ replaced, labels });
  });

  test.each([
    ['{{ $json.name.| }}', ['length', 'toUpperCase()', 'toTitleCase()']],
    ['{{ $json.tags.| }}', ['length', 'map()', 'first()']],
    ['{{ $json.count.| }}', ['toFixed()', 'round()']],
    ['{{ $now.| }}', ['toFormat()', 'plus()', 'year']],
    ['{{ $j| }}', ['$json', '$now', '$()', '$("Orders")', '$("It\'s \\"new\\"")']],
  ])('%s includes %j', (template, labels) => {
    expect(complete(template)?.labels).toEqual(expect.arrayContaining(labels));
  });

  test.each([
    'plain $json.|',
    '{{ 1 }} $json.|',
    '{{ $json.nothing.| }}',
    '{{ $json.unknown.| }}',
    '{{ $json.name.trim().| }}',
    '{{ $json.name.constructor.| }}',
    '{{ "$json.|" }}',
    '{{ $json. }}|',
    '{{ | }}',
  ])('%s has none', (template) => {
    expect(complete(template)).toBeNull();
  });

  test('an explicit request lists all names where a value can start', () => {
    expect(complete('{{ | }}', true)?.labels).toContain('$json');
    expect(complete('{{ 1 + |', true)).toMatchObject({ replaced: '' });
    expect(complete('{{ $json.name |', true)).toBeNull();
  });

  test('inserts keys that are not names in brackets, and node names as text', () => {
    const insert = (template: string, label: string) => {
      const position = template.indexOf('|');
      let state = EditorState.create({ doc: template.replace('|', '') });
      const result = completeTemplate(new CompletionContext(state, position, false), dataOf);
      const option = result?.options.find((one) => one.label === label);
      if (!result || !option) throw new Error('not offered');
      if (typeof option.apply === 'function') {
        const view = { dispatch: (change: object) => (state = state.update(change).state) };
        option.apply(view as never, option, result.from, position);
        return state.doc.toString();
      }
      return state.update({ changes: { from: result.from, to: position, insert: option.apply ?? label } }).state.doc.toString();
    };
    expect(insert('{{ $json.address.zi| }}', 'zip code')).toBe('{{ $json.address["zip code"] }}');
    expect(insert('{{ $json.address?.| }}', 'zip code')).toBe('{{ $json.address?.["zip code"] }}');
    expect(insert('{{ $json.name.| }}', 'trim()')).toBe('{{ $json.name.trim() }}');
    expect(insert(`{{ $('|') }}`, 'It\'s "new"')).toBe(`{{ $('It\\'s \\"new\\"') }}`);
    expect(insert('{{ $("|") }}', 'It\'s "new"')).toBe('{{ $("It\'s \\"new\\"") }}');
  });
});

test('a template is JavaScript within its braces only', () => {
  const doc = 'if {{ "}}" + a }} and {{ b';
  const state = EditorState.create({ doc, extensions: expressionTemplate(dataOf) });
  const tree = syntaxTree(state);
  expect(tree.resolveInner(8, 1).name).toBe('String');
  expect(tree.resolveInner(doc.indexOf('a }}'), 1).name).toBe('VariableName');
  expect(tree.resolveInner(doc.length, -1).name).toBe('VariableName');
  expect(tree.resolveInner(0, 1).name).toBe('Template');
});
