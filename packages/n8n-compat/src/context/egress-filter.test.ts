import { expect, test } from '@jest/globals';
import { AppError } from '@sluice/domain';
import type { EgressGuard } from '@sluice/node-sdk';
import { egressFilter } from './egress-filter.ts';

const guard: EgressGuard = {
  async check(url) {
    if (url.includes('private')) throw new AppError({ code: 'HTTP_BLOCKED', message: 'not allowed' });
  },
  lookup: (_hostname, _options, callback) => callback(null, '192.0.2.1', 4),
};

test('checks URLs and returns the result as a value', async () => {
  const filter = egressFilter(guard);
  expect(await filter.validateUrl('https://public.example')).toEqual({ ok: true, result: undefined });
  expect(await filter.validateUrl(new URL('https://private.example'))).toMatchObject({
    ok: false,
    error: { message: 'not allowed', cause: { code: 'HTTP_BLOCKED' } },
  });
});

test('returns the lookup for connections', () => {
  expect(egressFilter(guard).createSecureLookup()).toBe(guard.lookup);
});
