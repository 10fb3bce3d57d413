import { describe, expect, test } from '@jest/globals';
import { leastWithin, longestBusy } from '@sluice/test-support';
import fc from 'fast-check';
import { scope, textOf, useSandbox } from '../../tests/host-fixture.ts';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';

const { sandbox, inHost, hasMoved, expectBoth } = useSandbox();

describe('regular expressions', () => {
  test.each([
    [String.raw`$json.spaced.replace(/[\s,]+/g, "")`, 'Ä-bc'],
    ['$json.mail.match(/<(.*?)>/)?.[1] || $json.mail', 'ada@example.com'],
    [String.raw`$json.mail.match(/<(\w+)@([^>]+)>/)[2].replace(/\.com$/, "")`, 'example'],
    ['$json.mail.match(/none/)?.[1] || "no"', 'no'],
    ['$json.mail.match(/[A-Z]/gi).join("").toLowerCase()', 'adalovelaceadaexamplecom'],
    ['$json.mail.match(/(x)?Ada/)', ['Ada', null]],
    ['$json.mail.split(/[<@]/).pop() + $json.mail.match(/a/g).shift()', 'example.com>a'],
    ['/^ada/i.test($json.mail) && !/^ada/.test($json.mail)', true],
    [String.raw`/(\d)(\d)/.exec($json.digits)`, ['12', '1', '2']],
    ['/a/g.test("a") && /a/g.test("a")', true],
    [String.raw`$json.mail.search(/\s/) + $json.mail.split(/[\s<>@]+/).length`, 8],
    ['$json.spaced.split(/,|-/)', [' Ä', 'b', 'c ']],
    ['"a-b".replace(/(a)-(b)/, "$2$1$$$3") + "x".replace(/x/, "[$&]")', 'ba$$3[x]'],
    ['"1X2x3".replaceAll(/x/gi, "")', '123'],
    ['"😀a😀".replace(/^./u, "-") + "😀".match(/./g).length', '-a😀2'],
    ['$json.people.filter(p => /^t/i.test(p.name)).map(p => p.name)', ['Tim']],
  ])('%s is %j, in the host and in the guest', (source, value) => expectBoth(source.replaceAll('$json.mail', mail), value));

  test.each([
    ['with look-ahead', '"a".replace(/a(?=b)/, "")'],
    ['with look-behind', '"a".replace(/(?<=b)a/, "")'],
    ['with references', String.raw`"aa".replace(/(a)\1/, "")`],
    ['with names', '"a".replace(/(?<n>a)/, "")'],
    ['with nested repetition', '/(a+)+b/.test("a")'],
    ['with repeated alternatives', '/(a|a)*b/.test("a")'],
    ['with repeated options', '/(a?)*b/.test("a")'],
    ['with long repetition', '/(a{100}){100}/.test("a")'],
    ['with properties', String.raw`"a".replace(/\p{L}/u, "")`],
    ['with dashes next to sets', String.raw`"a".replace(/[^\s-A-Z]/, "")`],
    ['with boundaries between surrogates', String.raw`"😀".replace(/\B/gu, "-")`],
    ['with modifiers', '/(?i:a)/.test("A")'],
    ['with old escapes', String.raw`/\01/.test("a")`],
    ['that are sticky', '/a/y.test("a")'],
    ['with indices', '/a/d.test("a")'],
    ['with sets', '/[a--b]/v.test("a")'],
    ['that ignore the case of other letters', '/ä/i.test("Ä")'],
    ['that ignore the case in other text', '/a/i.test($json.spaced)'],
    ['with a function', '"a".replace(/a/, () => "b")'],
    ['that insert what is before a match', '"aa".replace(/a/g, "$`")'],
    ['that insert what is after a match', '"aa".replace(/a/g, "$\'")'],
    ['that insert a name', '"aa".replace(/a/g, "$<a>")'],
    ['that replace all without the flag', '"a".replaceAll(/a/, "")'],
    ['that split and keep groups', '"a,b".split(/(,)/)'],
    ['that match all', '[1].concat("a".matchAll(/a/g)).length'],
    ['of a value that is not text', '$json.n.replace(/1/, "")'],
    ['that test a value that is not text', '/1/.test($json.n)'],
    ['of a match that fails', '"a".match(/b/)[0]'],
    ['whose members are read', '"a".match(/a/).index'],
    ['whose members are listed', 'Object.keys("a".match(/a/))'],
    ['that are values', '/a/ || 1'],
    ['that are arguments', '$if(1, /a/)'],
    ['from text', 'new RegExp("a").test("a")'],
    ['on text that is too long for them', '/a*b/.test("a".repeat(5000))'],
    ['on long text that would grow', '"a".repeat(100000).replace(/a/g, "bb")'],
    ['on long text whose groups would be repeated', '"a".repeat(100000).replace(/(a+)/, "$1$1")'],
    ['on text with too many parts', '"a".repeat(20000).split(/a/)'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, scope)).toBeUndefined();
  });

  test('have no state between items', async () => {
    const many = makeScope({ items: itemsOf({ t: 'ab' }, { t: 'ab' }, { t: 'b' }) });
    const resolved = sandbox.resolve(sandbox.compile({ p: '={{ /a/g.test($json.t) }}' }), many, never) as {
      get(path: string, item: number): unknown;
    };
    expect([0, 1, 2].map((item) => resolved.get('p', item))).toEqual([true, true, false]);
  });

  // The patterns that take the most steps in a text, and texts in which they do.
  const slow: [pattern: string, unit: string][] = [
    ['/a*b/g', 'a'],
    ['/<[^>]*>/g', '<'],
    ['/^a*a*b/', 'a'],
    ['/a*a*b/', 'a'],
    ['/.*,.*,.*;/', 'a,'],
    [String.raw`/.+?@.+?\.\w+/`, 'a@'],
    ['/[a-z]+[0-9]+$/i', 'a1'],
    ['/a{0,30}a{0,30}b/', 'a'],
    ['/a?a?a?a?a?a?a?a?a?a{9}b/', 'a'],
    [String.raw`/^\s+|\s+$/g`, ' '],
    [String.raw`/(?:\w{3},)*$/`, 'abc,'],
  ];
  test.each(slow)('never block the event loop: %s', async (pattern, unit) => {
    const texts = Array.from({ length: 17 }, (_, power) => unit.repeat(2 ** power).slice(0, 2 ** power));
    for (const text of texts) {
      const many = makeScope({ items: itemsOf(...Array.from({ length: 50 }, () => ({ text }))) });
      const parameters = { p: `={{ [${Array.from({ length: 20 }, () => `${pattern}.test($json.text)`).join()}].length }}` };
      expect(await leastWithin(100, () => longestBusy(() => hasMoved(parameters, many)))).toBeLessThan(100);
    }
  });
});

const mail = '"Ada Lovelace <ada@example.com>"';

/** Random patterns, most of which the host accepts. */
const character = fc.constantFrom(
  'a',
  'b',
  'A',
  ' ',
  '-',
  String.raw`\/`,
  String.raw`\.`,
  String.raw`\-`,
  'ß',
  '1',
  '😀',
  '{',
  ']',
  String.raw`\u0061`,
  String.raw`\n`,
);
const atom = fc.oneof(
  character,
  fc.constantFrom('.', String.raw`\d`, String.raw`\w`, String.raw`\s`, String.raw`\W`, String.raw`\S`, '[]', '[^]'),
  fc
    .tuple(
      fc.constantFrom('', '^'),
      fc.array(fc.constantFrom('a', 'b-d', String.raw`\s`, String.raw`\w`, '-', 'A-Z', '.', 'é', '0-9'), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([negation, parts]) => `[${negation}${parts.join('')}]`),
);
const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small' },
    atom,
    fc.tuple(atom, fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '*?', '+?', '??', '{2,}')).map((parts) => parts.join('')),
    fc.constantFrom('^', '$', String.raw`\b`, String.raw`\B`),
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?:${inner})?`),
    fc
      .tuple(fc.array(character, { minLength: 1, maxLength: 2 }), fc.constantFrom('*', '+', '{0,2}'))
      .map(([parts, times]) => `(${parts.join('')})${times}`),
  ),
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('|')),
  ),
}));
const flags = fc.constantFrom('', 'g', 'i', 'gi', 'm', 's', 'u', 'gu', 'gim');
const text = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      'A',
      'B',
      ' ',
      '-',
      '/',
      '.',
      'ß',
      'é',
      '1',
      '22',
      '😀',
      '\n',
      '{',
      ']',
      'aab',
      '\u2028',
      'K',
      '_',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const replacement = fc.constantFrom('', '-', '$1', '[$&]', '$2$1', '$10', '$$1', '$0', '$01');
const call = fc.tuple(pattern, flags, text, replacement).chain(([source, letters, subject, inserted]) => {
  const [literal, quoted] = [`/${source}/${letters}`, JSON.stringify(subject)];
  return fc.constantFrom(
    `${literal}.test(${quoted})`,
    `${literal}.exec(${quoted})`,
    `${quoted}.match(${literal})`,
    `${quoted}.search(${literal})`,
    `${quoted}.split(${literal})`,
    `${quoted}.replace(${literal}, ${JSON.stringify(inserted)})`,
    `${quoted}.replaceAll(${literal}, ${JSON.stringify(inserted)})`,
  );
});

test('the host and the guest evaluate random regular expressions equally', async () => {
  const sources = fc.sample(call, { numRuns: 6_000, seed: 20_261_130 });
  const ofHost = sources.flatMap((source) => {
    const host = inHost(`={{ ${source} }}`, scope);
    return host ? [{ source, value: textOf(host.get('p', 0)) }] : [];
  });
  expect(ofHost.length).toBeGreaterThan(1_500);
  const compiled = sandbox.compile({ p: ofHost.map(({ source }) => `={{ (0, ${source}) }}`) });
  const guest = await sandbox.resolve(compiled, scope, never);
  expect(ofHost).toEqual(ofHost.map(({ source }, at) => ({ source, value: textOf(guest.get(`p.${at}`, 0)) })));
});
