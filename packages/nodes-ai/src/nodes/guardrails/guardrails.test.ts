// cspell:ignore abcpe akiaiosfodnn
import { expect, test } from '@jest/globals';
import { checkParameters, type JsonObject } from '@sluice/node-sdk';
import { askAboutText } from '../../testing/ask-about-text.ts';
import { guardrails as guardrailsType } from './guardrails.ts';
import { scanText, type TextScan } from './scan-text-task.ts';

const type = '@n8n/n8n-nodes-langchain.guardrails';
const check = (guardrails: JsonObject, texts: string[], answers: object[] = [], more: JsonObject = {}) =>
  askAboutText(
    { type, typeVersion: 1, parameters: { text: '={{ $json.text }}', guardrails, ...more } },
    texts.map((text) => ({ text })),
    answers.map((answer) => ({ text: JSON.stringify(answer) })),
  );
/** Whether each text passes. */
const passes = ({ outputs }: { outputs: JsonObject[][] }, texts: string[]) =>
  texts.map((text) => outputs[0]?.some(({ guardrailsInput }) => guardrailsInput === text) ?? false);

test.each<[string, JsonObject, string[], string[]]>([
  ['keywords', { keywords: 'secret, top-level' }, ['secretary', 'a level'], ['My SECRET.', 'top-level?']],
  [
    'personal data',
    { pii: { value: { type: 'all' } } },
    ['I have 2 cats', 'room 12, 3rd floor', '999.1.1.1', '2026-01-31 10:30'],
    [
      'a@b.example',
      '4111 1111 1111 1111',
      'DE89 3704 0044 0532 0130 00',
      '192.168.0.1',
      '2001:db8::1',
      '123-45-6789',
      '+43 660 1234567',
      '12345678Z',
      '44051401359',
      'ABCPE1234F',
    ],
  ],
  [
    'numbers with a check digit',
    { pii: { value: { type: 'selected', entities: ['CREDIT_CARD', 'IBAN_CODE'] } } },
    ['4111 1111 1111 1112', 'DE89 3704 0044 0532 0130 03'],
    ['4111-1111-1111-1111', 'GB82WEST12345698765432'],
  ],
  ['chosen personal data', { pii: { value: { type: 'selected', entities: ['US_SSN'] } } }, ['a@b.example'], ['123-45-6789']],
  [
    'keys',
    { secretKeys: { value: { permissiveness: 'balanced' } } },
    ['an ordinary sentence with some-words-inside', 'see https://example.com/a/long/path-of-words'],
    ['ghp_0123456789abcdefghij', 'key: aB3$kL9mQ2xZ7vN4pR8t', 'AKIAIOSFODNN7EXAMPLE', '-----BEGIN RSA PRIVATE KEY-----'],
  ],
  [
    'addresses',
    { urls: { value: { allowedUrls: 'example.com, https://a.test/docs', allowedSchemes: 'https' } } },
    ['see https://example.com/x, https://www.example.com.', 'https://a.test/docs/1', 'no link'],
    ['http://example.com', 'https://u:p@example.com', 'https://a.test/docsx', 'https://evilexample.com', 'javascript:alert(1)'],
  ],
  ['regular expressions', { customRegex: { regex: [{ name: 'order', value: '/ord-\\d+/i' }] } }, ['ord-x'], ['ORD-12']],
])('%s: allowed text passes and forbidden text fails', async (_, guardrails, good, bad) => {
  const result = await check(guardrails, [...good, ...bad]);
  expect(passes(result, good)).toEqual(good.map(() => true));
  expect(passes(result, bad)).toEqual(bad.map(() => false));
  expect(result.outputs[1]).toHaveLength(bad.length);
  expect(result.prompts).toEqual([]);
});

test('a model evaluates each rule, and a confidence below the threshold passes', async () => {
  const guardrails = {
    jailbreak: { value: { threshold: 0.5 } },
    topicalAlignment: { value: { prompt: 'shoes', threshold: 0.7 } },
    custom: { guardrail: [{ name: 'rude', prompt: 'The text is rude.', threshold: 0.9 }] },
  };
  const sure = { flagged: true, confidenceScore: 0.8 };
  const fine = { flagged: false, confidenceScore: 1 };
  const { outputs, prompts } = await check(guardrails, ['a', 'b'], [sure, fine, sure, fine, fine, sure]);
  expect(outputs[1]).toMatchObject([
    {
      guardrailsInput: 'a',
      checks: [
        { name: 'jailbreak', triggered: true, confidenceScore: 0.8 },
        { name: 'topicalAlignment', triggered: false },
        { name: 'rude', triggered: false, confidenceScore: 0.8 },
      ],
    },
  ]);
  expect(outputs[0]).toMatchObject([{ guardrailsInput: 'b' }]);
  expect(prompts[1]?.[0]).toContain('leaves this scope: shoes');
  expect(prompts[2]?.[0]).toContain('The text is rude.');
});

test('version 2 behaves as version 1', async () => {
  const guardrails = { jailbreak: { value: { threshold: 0.7, customizePrompt: true } } };
  const parameters = { text: '={{ $json.text }}', guardrails, customizeSystemMessage: true };
  expect(checkParameters(guardrailsType, parameters, 2)).toEqual([]);
  const { outputs } = await askAboutText(
    { type, typeVersion: 2, parameters },
    [{ text: 'a' }],
    [{ text: JSON.stringify({ flagged: true, confidenceScore: 0.8 }) }],
  );
  expect(outputs).toMatchObject([[], [{ guardrailsInput: 'a', checks: [{ name: 'jailbreak', triggered: true }] }]]);
});

test('a text that fails a pattern check is not sent to the model', async () => {
  const { outputs, prompts } = await check({ keywords: 'x', nsfw: { value: {} } }, ['x y']);
  expect(outputs[1]).toEqual([
    {
      guardrailsInput: 'x y',
      checks: [{ name: 'keywords', triggered: true, info: { findings: [{ type: 'KEYWORD', value: 'x' }] } }],
    },
  ]);
  expect(prompts).toEqual([]);
});

test('the node may override the instructions and the rule', async () => {
  const guardrails = { nsfw: { value: { prompt: 'It has a cat.' } } };
  const more = { customizeSystemMessage: true, systemMessage: 'Be strict.' };
  const { prompts } = await check(guardrails, ['a'], [{ flagged: false, confidenceScore: 1 }], more);
  expect(prompts[0]?.[0]).toBe('Be strict.\n\nIt has a cat.');
});

test.each([
  [true, 'It has a cat.'],
  [false, 'not suitable for work'],
])('with customizePrompt %j, the rule has: %s', async (customizePrompt, rule) => {
  const guardrails = { nsfw: { value: { customizePrompt, prompt: 'It has a cat.' } } };
  const { prompts } = await check(guardrails, ['a'], [{ flagged: false, confidenceScore: 1 }]);
  expect(prompts[0]?.[0]).toContain(rule);
});

test('each matching part of a text is replaced once', async () => {
  const guardrails = {
    pii: { value: { type: 'all' } },
    urls: { value: { allowedUrls: '' } },
    secretKeys: { value: { permissiveness: 'permissive' } },
    customRegex: { regex: [{ name: 'ORDER', value: 'ord-\\d+' }] },
  };
  const text = 'ord-1 of a@b.example: https://c.example/?k=AKIAIOSFODNN7EXAMPLE, or call +43 660 1234567';
  const { outputs } = await check(guardrails, [text], [], { operation: 'sanitize' });
  expect(outputs).toHaveLength(1);
  expect(outputs[0]?.[0]?.['guardrailsInput']).toBe(
    '<ORDER> of <EMAIL_ADDRESS>: https://c.example/?k=<SECRET>, or call <PHONE_NUMBER>',
  );
});

const many = (text: string) => `${text} `.repeat(2_000);

test.each<[string, JsonObject, string, string]>([
  [
    'invalid card numbers',
    { pii: { value: { type: 'selected', entities: ['CREDIT_CARD'] } } },
    '4111 1111 1111 1112',
    '4111 1111 1111 1111',
  ],
  ['ordinary words', { secretKeys: { value: {} } }, 'understanding', 'aB3$kL9mQ2xZ7vN4pR8t'],
  ['allowed addresses', { urls: { value: { allowedUrls: 'a.test' } } }, 'https://a.test/1', 'https://evil.test'],
])('any number of %s does not hide a finding after them', async (_, guardrails, harmless, bad) => {
  const texts = [many(harmless), `${many(harmless)} ${bad}`];
  expect(passes(await check(guardrails, texts), texts)).toEqual([true, false]);
});

test('a text with too many parts to replace is rejected instead of sanitized in part', async () => {
  const guardrails = { pii: { value: { type: 'selected', entities: ['EMAIL_ADDRESS'] } } };
  const { outcome } = await check(guardrails, [many('a@b.example')], [], { operation: 'sanitize' });
  expect(outcome).toMatchObject({ error: { message: 'the text has more than 1000 parts to replace' } });
});

test.each<[JsonObject, string]>([
  [{}, 'there are no guardrails'],
  [{ pii: { value: { type: 'selected', entities: ['PERSON'] } } }, '"PERSON" cannot be found by its form'],
  [{ customRegex: { regex: [{ name: 'x', value: '(' }] } }, '"x" is invalid'],
])('%j fails: %s', async (guardrails, message) => {
  expect((await check(guardrails, ['a'])).outcome).toMatchObject({ error: { message: expect.stringContaining(message) } });
});

test('a text that cannot be checked does not pass if the node continues', async () => {
  const node = {
    type,
    typeVersion: 1,
    onError: 'continueRegularOutput' as const,
    parameters: { text: 'a', guardrails: { customRegex: { regex: [{ name: 'x', value: '(' }] } } },
  };
  const { outputs } = await askAboutText(node, [{}], []);
  expect(outputs).toEqual([[], [{ error: expect.stringContaining('"x" is invalid') }]]);
});

test('a regular expression that never terminates is stopped', async () => {
  const guardrails = { customRegex: { regex: [{ name: 'x', value: '(a+)+$' }] } };
  const { outcome } = await check(guardrails, [`${'a'.repeat(40)}!`]);
  expect(outcome).toMatchObject({ error: { message: expect.stringContaining('the text cannot be searched') } });
}, 30_000);

test('built-in patterns take linear time', () => {
  const scan: TextScan = {
    text: '',
    keywords: [],
    entities: ['EMAIL_ADDRESS', 'CREDIT_CARD', 'IBAN_CODE', 'CRYPTO', 'IP_ADDRESS', 'PHONE_NUMBER', 'IT_FISCAL_CODE'],
    secrets: 'strict',
    urls: { allowed: [], schemes: ['https'], blocksUserInfo: true, allowsSubdomains: true },
    patterns: [],
  };
  for (const part of ['a', '1', '1 ', 'a.', 'a@', 'http://', 'A1 ', ':', '(1)', '-']) {
    const started = performance.now();
    scanText({ ...scan, text: part.repeat(100_000) });
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});
