import { describe, expect, jest, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import fc from 'fast-check';
import { scope, useSandbox } from '../../tests/host-fixture.ts';
import { itemsOf, makeScope, never } from '../../tests/scope-fixture.ts';
import type { ResolvedParameters } from '../index.ts';

const { sandbox, inHost, inGuest, inBoth, hasMoved, expectBoth } = useSandbox();

describe('calls of functions that cannot call code', () => {
  test.each([
    ['$json.spaced.trim()', 'Ä-b,c'],
    ['$json.spaced.trim().toLowerCase().replace("-", "+")', 'ä+b,c'],
    ['$json.spaced.replaceAll(" ", "")', 'Ä-b,c'],
    ['$json.spaced.split(",")', [' Ä-b', 'c ']],
    ['$json.spaced.split(",")[1]', 'c '],
    ['$json.spaced.split("-").length > 1 ? "yes" : "no"', 'yes'],
    ['$json.spaced.split(",").pop().trim()', 'c'],
    ['$json.text.slice(-1) + $json.digits.padStart(4, "0")', 'b0012'],
    ['$json.text?.toUpperCase()', 'AB'],
    ['$json.tags.join(" / ")', 'x /  / 2.5 / true'],
    ['$json.list.includes("x") && $json.list.indexOf("y")', -1],
    ['$json.tags.slice(1, 3)', [null, 2.5]],
    ['$json.half.toString() + $json.yes.toString()', '0.5true'],
    ['String($json.n) + Number($json.digits) + Boolean($json.empty)', '2112false'],
    ['Math.round($json.half + 1) + Math.max($json.n, 3, $json.minus)', 23],
    ['parseInt($json.digits, 10) + parseFloat("1.5kg")', 13.5],
    ['encodeURIComponent($json.spaced)', '%20%C3%84-b%2Cc%20'],
    ['Object.keys($json.deep).join("+")', 'n+text'],
    ['JSON.stringify({ name: $json.text, n: $json.n })', '{"name":"ab","n":21}'],
    ['$json.deep.toJsonString() + $json.n.toJsonString()', '{"n":7,"text":"cd"}21'],
    ['JSON.parse($json.written).list[1].a + JSON.parse("[1, 2]").length', 9],
    ['$json.written.parseJson().list', [1, { a: 7 }]],
    ['$json.digits.toNumber() + $json.n.toNumber() + $json.yes.toNumber()', 34],
    ['$json.half.toFixed(2) + $json.n.toFixed() + (1.005).toFixed(2) + (2.5).toFixed(0)', '0.50211.003'],
    ['$json.text.base64Encode() + "5L2g5aW9".base64Decode()', 'YWI=你好'],
    ['Array.isArray($json.list) && !Array.isArray($json.deep)', true],
    ['$if($json.n > 20, $json.list, "few")', [1, 'x']],
    ['$if($json.no, 1)', false],
    ['$ifEmpty($json.empty, "none") + $ifEmpty($json.n, "none")', 'none21'],
    ['$ifEmpty($json.deep, "none")', { n: 7, text: 'cd' }],
    ['$json.list.first() + $json.list.last()', '1x'],
    ['$json.missing.isEmpty() && $json.nothing.isEmpty() && $json.empty.isEmpty() && $json.list.isNotEmpty()', true],
    ['JSON.stringify($json.deep, null, 2)', '{\n  "n": 7,\n  "text": "cd"\n}'],
    ['JSON.stringify($json.list, null, $json.half)', '[1,"x"]'],
    ['[$json.text, $json.missing]', ['ab', null]],
    [`\`\${$json.text.toUpperCase()}: \${$json.n}\``, 'AB: 21'],
  ])('%s is %j, in the host and in the guest', expectBoth);

  test('leave the data that they read unchanged', async () => {
    const over = makeScope({ items: itemsOf({ list: ['a', 'b'] }) });
    const compiled = sandbox.compile({ a: '={{ $json.list.slice().pop() }}', b: '={{ $json.list.join() }}' });
    const resolved = sandbox.resolve(compiled, over, never) as ResolvedParameters;
    expect([resolved.get('a', 0), resolved.get('b', 0)]).toEqual(['b', 'a,b']);
  });

  test.each(['$json', '$json["a b"]', '$json.spaced', '$input.item.json', '$workflow', '[$json.text, 1]'])(
    'JSON of %s is the same in the host and in the guest',
    async (source) => {
      const text = `={{ JSON.stringify(${source}) }}`;
      expect(inHost(text, scope)?.get('p', 0)).toBe((await inGuest(text, scope)).get('p', 0));
    },
  );

  const sized = makeScope({
    items: itemsOf({
      long: 'ab'.repeat(40_000),
      pattern: 'b'.repeat(2_000),
      list: Array.from({ length: 20_000 }, () => 1),
      written: JSON.stringify(Array.from({ length: 20_000 }, () => 1)),
      list600: Array.from({ length: 600 }, () => 1),
    }),
  });
  test.each([
    ['on text that would grow', '"x".repeat(1e9)'],
    ['on text that would grow in steps', '"x".repeat(100000).repeat(100000)'],
    ['that pad without limit', '"x".padStart(1e9)'],
    ['that insert more than the text contains', '$json.long.replaceAll("a", $json.pattern)'],
    ['that insert the matched text', '"aa".replaceAll("a", "$`$`$`$`")'],
    ['that search for a long string in a longer string', '$json.long.indexOf($json.pattern)'],
    ['that parse long text', 'JSON.parse("[" + JSON.stringify($json.long) + "," + JSON.stringify($json.long) + "]").length'],
    ['that parse many values', 'JSON.parse($json.written).length'],
    ['that parse deep values', 'JSON.parse("[".repeat(100) + "]".repeat(100)).length'],
    ['that repeat large values', '[$json.list, $json.list]'],
    ['that search in overlong text', '($json.long + $json.long).includes("c")'],
    ['that join long lists', '$json.list.join()'],
    ['that write large values', 'JSON.stringify($json.list)'],
    ['that write indented values', 'JSON.stringify($json.list600, null, 2)'],
    ['that compare long strings with many', '$json.list600.includes($json.pattern)'],
  ])('%s are left to the guest', (_, source) => {
    expect(inHost(`={{ ${source} }}`, sized)).toBeUndefined();
  });

  test.each([
    ['$json.text.includes($json.pattern)', { text: 'ab'.repeat(1_000), pattern: `b${'ab'.repeat(240)}` }],
    ['$json.text.split("")', { text: 'ab'.repeat(500) }],
    ['$json.text.replaceAll("a", "")', { text: 'a'.repeat(130_000) }],
    ['$json.text.toLowerCase()', { text: `\u03a3${'\u0301'.repeat(100)}`.repeat(1_200) }],
    ['JSON.stringify($json.many)', { many: Array.from({ length: 1_900 }, () => ({})) }],
    ['encodeURIComponent($json.text)', { text: '\u3000'.repeat(130_000) }],
  ])('the maximum number of calls in an expression never blocks the event loop: %s', async (call, json) => {
    // The maximum that fits into an expression of the host.
    const source = `[${Array.from({ length: 30 }, () => call).join()}].length`;
    const many = makeScope({ items: itemsOf(...Array.from({ length: 100 }, () => json)) });
    expect(await longestBusy(() => hasMoved({ p: `={{ ${source} }}` }, many))).toBeLessThan(100);
  });

  test('are left to the guest if one expression has called functions for too long', () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++now);
    const calls = (count: number) => ({ p: `={{ [${Array.from({ length: count }, () => '$json.text.trim()').join()}] }}` });
    expect([hasMoved(calls(20), scope), hasMoved(calls(60), scope)]).toEqual([false, true]);
    clock.mockRestore();
  });

  test('use up the text budget with their arguments', () => {
    const over = makeScope({ items: itemsOf({ digits: '1'.repeat(100_000), text: 'ab' }) });
    for (const call of ['Boolean($json.digits)', '$json.text.startsWith($json.digits)']) {
      const source = `={{ [${Array.from({ length: 40 }, () => call).join()}] }}`;
      expect([hasMoved({ a: source }, over), hasMoved({ a: [source, source, source, source, source] }, over)]).toEqual([
        false,
        true,
      ]);
    }
  });

  test('decimals are the same in the host and in the guest', async () => {
    const decimal = fc.oneof(
      fc.double({ min: -1e20, max: 1e20, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.integer({ min: -99_999, max: 99_999 }).map((n) => n / 1_000),
    );
    const numbers = fc.sample(decimal, { numRuns: 1_000, seed: 20_261_130 });
    const over = makeScope({ items: numbers.map((n, index) => ({ json: { n, digits: index % 21 } })) });
    const [host, guest] = await inBoth('$json.n.toFixed($json.digits)', over);
    expect(host.length).toBeGreaterThan(900);
    expect(host).toEqual(guest);
  });
});
