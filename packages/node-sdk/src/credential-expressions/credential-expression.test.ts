import { describe, expect, test } from '@jest/globals';
import { longestBusy } from '@sluice/test-support';
import { evaluateCredentialExpression, evaluateCredentialExpressionValue } from './credential-expression.ts';

const names = { $credentials: { url: 'https://a.example/', key: 'k', user: 'ada', isTest: true, port: 8080 }, $value: 'v' };

describe('a credential expression', () => {
  test.each([
    ['={{ $credentials.url }}x', 'https://a.example/x'],
    ['Bearer {{$credentials.key}}', 'Bearer k'],
    ['={{ "Bearer " + $credentials["key"] }}', 'Bearer k'],
    ['={{ $credentials?.none?.deeper }}', ''],
    ['={{ $credentials.none || "https://b.example" }}', 'https://b.example'],
    ['={{ $credentials.none ?? $value }}', 'v'],
    ['={{ $credentials.isTest ? "sandbox" : "api" }}.example', 'sandbox.example'],
    ['={{ $credentials.isTest === false ? 1 : 2 }}', '2'],
    ['={{ !$credentials.isTest && "a" }}', 'false'],
    ['={{ $credentials.key || $credentials.none && "b" }}', 'k'],
    ['={{ $credentials.none && "a" || $value }}', 'v'],
    ['={{ $credentials.url.replace(/\\/$/, "") }}', 'https://a.example'],
    ["={{ $credentials.url.endsWith('/') ? $credentials.url.slice(0, -1) : $credentials.url }}", 'https://a.example'],
    ['={{ "abc".substring(2, 0) }} {{ "abc".substring(-1) }} {{ "abc".slice(-1) }}', 'ab abc c'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template of the type's own
    ['={{ `${$credentials.user}:${$credentials.port + 1}` }}', 'ada:8081'],
    ['={{ Buffer.from($credentials.user + ":" + $credentials.key).toString("base64") }}', 'YWRhOms='],
    ['={{ btoa($credentials.user) }}{{ encodeURIComponent("a b") }}', 'YWRha%20b'],
    ['={{ $credentials.user.toUpperCase().split("D").join("-") }}', 'A-A'],
    ['={{ "}}" + $credentials.key }}|{"port":{{ $credentials.port }}}', '}}k|{"port":8080}'],
    ['={{ Boolean($credentials.none) }}', 'false'],
    ['={{ $credentials.user', '{{ $credentials.user'],
    ['={{ "a\\u0062" + $credentials.port * 2 }}', 'ab16160'],
    ['={{ $credentials.port == "8080" }}', 'true'],
    ['={{ [$credentials.none, $credentials.user, $credentials.key].filter((one) => one).join("/") }}', 'ada/k'],
    ['={{ $credentials.url.split("/").map((part, at) => part + at).join() }}', 'https:0,1,a.example2,3'],
    ['={{ ["a", "b"].some(function (one) { return one === "b"; }) }}', 'true'],
    ['={{ ["a"].map((one) => ["b"].map((two) => one + two).join("")).join("") }}', 'ab'],
    ['={{ (() => $credentials.isTest ? "sandbox" : "api")() }}', 'sandbox'],
    ['={{ $credentials.port > 80 ? [1, $credentials.user] : "" }}', '[1,"ada"]'],
  ])('%s', (text, value) => {
    expect(evaluateCredentialExpression(text, names)).toBe(value);
  });

  test.each([
    '={{ process.env }}',
    '={{ $credentials.key.constructor("return 1")() }}',
    '={{ (() => { while (true) {} })() }}',
    '={{ ["a"].map((one) => one)[0].map((two) => two) }}',
    '={{ ["a"].map(([one]) => one) }}',
    '={{ ["a"].map((one) => { one; return one; }) }}',
    '={{ ["a"].map((one) => one.constructor("return 1")()) }}',
    '={{ ["a"].map((one) => 1) + one }}',
    '={{ $credentials.user; 1 }}',
    '={{ Object.keys($credentials) }}',
    '={{ Buffer.alloc(9) }}',
    '={{ $credentials. }}',
    '={{ { "__proto__": $credentials } }}',
    '={{ { ...$credentials } }}',
    '={{ $credentials + 1 }}',
    '={{ Buffer.from("a").toString("rot13") }}',
    '={{ String.raw`a` }}',
    `={{ ${'`${'.repeat(10_000)} }}`,
    `={{ ${'('.repeat(900)}1${')'.repeat(900)}.x.y( }}`,
  ])('rejects syntax beyond the language: %s', (text) => {
    expect(() => evaluateCredentialExpression(text, names)).toThrow(/cannot be evaluated|is not supported|is not an encoding/);
  });

  test.each<[string, unknown]>([
    ['={{ $credentials.isTest ? { "x-key": $credentials.key, none: $credentials.none } : {} }}', { 'x-key': 'k' }],
    ['={{{ outer: { key: $credentials.key }}}}', { outer: { key: 'k' } }],
    ['={{ $credentials.none }}', undefined],
    ['={{ $credentials.port }}', 8080],
    ['={{ $credentials.port }}0', '80800'],
    ['plain', 'plain'],
    ['', ''],
  ])('returns a value if the string is a single expression: %s', (text, value) => {
    expect(evaluateCredentialExpressionValue(text, names)).toEqual(value);
  });

  test('is limited to a megabyte of text', () => {
    const text = `={{ ${Array.from({ length: 20 }, () => '$value').join(' + ')} }}`;
    expect(evaluateCredentialExpression(text, { $value: 'x' })).toHaveLength(20);
    expect(() => evaluateCredentialExpression(text, { $value: 'x'.repeat(100_000) })).toThrow(/cannot be evaluated/);
  });

  test('reads own properties only', () => {
    expect(evaluateCredentialExpression('={{ $credentials.__proto__ }}{{ $credentials.toString }}', names)).toBe('');
  });
});

test('a pattern on the largest value never blocks the event loop', async () => {
  const trimmed = (length: number) =>
    evaluateCredentialExpression('={{ $credentials.url.replace(/\\/+$/, "") }}', {
      $credentials: { url: `${'/'.repeat(length - 1)}x` },
    });
  expect(await longestBusy(() => expect(trimmed(10_000)).toHaveLength(10_000))).toBeLessThan(250);
  expect(await longestBusy(() => expect(() => trimmed(65_536)).toThrow('more than 10000 characters'))).toBeLessThan(250);
});
