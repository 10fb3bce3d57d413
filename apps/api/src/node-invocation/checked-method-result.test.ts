import { expect, test } from '@jest/globals';
import type { NodeMethodKind } from '@sluice/contract';
import { longestBusy } from '@sluice/test-support';
import { SecretScrubber } from '@sluice/vault';
import { checkedMethodResult } from './checked-method-result.ts';

const { signal } = new AbortController();
const scrubber = new SecretScrubber();
for (let at = 0; at < 20; at += 1) scrubber.add(`a-secret-of-many-${at}`);

const check = (kind: NodeMethodKind, result: unknown) => checkedMethodResult(kind, result, { scrubber }, signal);
const choices = (count: number, name = 'n') =>
  Array.from({ length: count }, (_, at) => ({ name: `${name}${at}`, value: `v${at}` }));

test('secrets are removed from the result', async () => {
  const name = 'token a-secret-of-many-3';
  expect(await check('loadOptions', [{ name, value: 1 }])).toEqual([{ name: 'token ***REDACTED***', value: 1 }]);
  expect(await check('actionHandler', undefined)).toBeNull();
  const test = { status: 'Error', message: `${name} ${'x'.repeat(2_000)}` };
  expect(await check('credentialTest', test)).toMatchObject({
    message: expect.stringMatching(/^token \*\*\*REDACTED\*\*\* x/),
  });
});

test.each<[string, NodeMethodKind, unknown, string]>([
  ['a million choices', 'loadOptions', choices(1_000_000), 'the result is too large'],
  ['choices that fit', 'loadOptions', choices(100_000), 'the result has more than 20000 entries'],
  ['choices of a search', 'listSearch', { results: choices(100_000) }, 'the result has more than 20000 entries'],
  ['a long name', 'loadOptions', [{ name: '\u0001'.repeat(15_000_000), value: 1 }], 'the result is too large'],
])('a service that returns %s does not block the API', async (_, kind, result, message) => {
  let failed: unknown;
  const busy = await longestBusy(async () => {
    failed = await check(kind, result).catch((error: unknown) => error);
  });
  expect(failed).toMatchObject({ message });
  expect(busy).toBeLessThan(250);
});

test('the maximum number of choices and a large button result do not block the API', async () => {
  const busy = await longestBusy(async () => {
    expect(await check('loadOptions', choices(20_000, 'x'.repeat(100)))).toHaveLength(20_000);
    expect(await check('actionHandler', { rows: choices(100_000) })).toMatchObject({ rows: { length: 100_000 } });
  });
  expect(busy).toBeLessThan(250);
});
