import { describe, expect, test } from '@jest/globals';
import { ExtensionCalls } from './extension-calls.ts';

const calls = new ExtensionCalls(['first', 'isEmpty', 'round', 'keys']);

describe('calls of extension methods', () => {
  test.each([
    ['$json.a.first()', '$callMethod($json.a, "first")'],
    ['a.round(2, b)', '$callMethod(a, "round", 2, b)'],
    ['a.first().isEmpty()', '$callMethod($callMethod(a, "first"), "isEmpty")'],
    ['a.round(b.first())', '$callMethod(a, "round", $callMethod(b, "first"))'],
    ['(a || b).first()', '$callMethod((a || b), "first")'],
    ['a\n  .first ()', '$callMethod(a, "first")'],
    [`\`\${a.first()}\``, `\`\${$callMethod(a, "first")}\``],
    ['l.map(x => x.first(...y))', 'l.map(x => $callMethod(x, "first", ...y))'],
    ['{ a: b.first() }', '{ a: $callMethod(b, "first") }'],
    ['new Date().first()', '$callMethod(new Date(), "first")'],
    ['a?.first().b', '$optionalMethod(a, "first")?.().b'],
    ['a?.b.first(1)', '$optionalMethod(a?.b, "first")?.(1)'],
    ['a.first?.(1)', '$optionalMethod(a, "first")?.(1)'],
    ['(a?.b).first()', '$callMethod((a?.b), "first")'],
  ])('%s', (source, expected) => {
    expect(calls.rewrite(source)).toBe(expected);
  });

  test.each([
    '$json.first',
    '"a.first()"',
    '/a.first()/.test(b)',
    'a.other()',
    'a["first"]()',
    'Object.keys(a)',
    'Math.round(a)',
    '(a.first)()',
    'first(a)',
    'a.first( + ',
    `${'('.repeat(50_000)}a.first()`,
  ])('leave other calls and invalid source unchanged: %s', (source) => {
    expect(calls.rewrite(source)).toBe(source);
  });
});
