import { describe, expect, test } from '@jest/globals';
import { hostLanguage } from './host-language.ts';

const path = (root: object, ...steps: (string | number)[]) => ({ kind: 'read', read: { root, steps } });

/** The path or literal that the host reads from a source. */
function referenceOf(source: string) {
  const expression = hostLanguage.expressionOf(source);
  return expression?.kind === 'read' || expression?.kind === 'literal' ? expression : undefined;
}

const json = { kind: 'scope', name: '$json' };

describe('a path or literal', () => {
  test.each([
    ['$json', path(json)],
    ['$json.a.b[0]["c d"]', path(json, 'a', 'b', 0, 'c d')],
    ["$json?.a?.['b']", path(json, 'a', 'b')],
    [' $json . a ', path(json, 'a')],
    ['$json.größe', path(json, 'größe')],
    ['$("My Node").item.json.a', path({ kind: 'node', node: 'My Node', read: 'item' }, 'json', 'a')],
    ["$('x').first().json", path({ kind: 'node', node: 'x', read: 'first' }, 'json')],
    ['$("x").all()[0].json', path({ kind: 'node', node: 'x', read: 'all' }, 0, 'json')],
    ['$("x").isExecuted', path({ kind: 'node', node: 'x', read: 'isExecuted' })],
    ['$node["x"].json.a', path({ kind: 'nodeTable', node: 'x' }, 'json', 'a')],
    ['$node.x.json', path({ kind: 'nodeTable', node: 'x' }, 'json')],
    ['$input.last().json.a', path({ kind: 'input', read: 'last' }, 'json', 'a')],
    ['$workflow.name', path({ kind: 'scope', name: '$workflow' }, 'name')],
  ])('is read: %s', (source, expected) => {
    expect(referenceOf(source)).toEqual(expected);
  });

  test.each([
    ['"a"', 'a'],
    ["''", ''],
    ['"a\\n"', 'a\n'],
    ['0x10', 16],
    ['-1.5', -1.5],
    ['true', true],
    ['null', null],
    ['undefined', undefined],
    ['', undefined],
  ])('is a literal: %s', (source, value) => {
    expect(referenceOf(source)).toEqual({ kind: 'literal', value });
  });

  test.each([
    '$json.a()',
    '$json.a + 1',
    '$json.[0]',
    '$json.',
    '$json[0',
    '$jsonx',
    '$("x")',
    '$("x").first(0)',
    '$(x).item',
    '$input.first',
    `\`\${1}\``,
    '1n',
    '$execution.customData',
    '$json["\\x63onstructor"]',
    '// comment',
    '$json.a; $json.b',
    '$json.a) + ($json.b',
    `$json.${'a'.repeat(2_000)}`,
    '!'.repeat(1_900),
    `$json${'.a'.repeat(300)}`,
  ])('is neither: %s', (source) => {
    expect(referenceOf(source)).toBeUndefined();
  });
});
