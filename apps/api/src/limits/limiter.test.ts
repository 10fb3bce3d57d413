import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { type Bucket, MemoryCounters } from './counters.ts';
import { createLimiter, type Limiter } from './limiter.ts';

const windowMs = 60_000;

function aLimiter() {
  const counters = new MemoryCounters({ windowMs });
  const counted: string[][] = [];
  const count = (buckets: readonly Bucket[]) => {
    counted.push(buckets.map(({ key }) => key));
    return counters.count(buckets);
  };
  return { limiter: createLimiter({ counters: { count }, windowMs }), counted };
}

const a = { key: 'a', max: 2, policy: 'ip' };
const b = { key: 'b', max: 1, policy: 'key' };

async function send(limiter: Limiter) {
  const headers = new Map<string, unknown>();
  const response = { getHeader: (name: string) => headers.get(name), setHeader: headers.set.bind(headers) };
  const outcomes: string[] = [];
  for (const enforce of limiter([a, b])) {
    const outcome = enforce({} as Request, response as unknown as Response);
    outcomes.push(
      await outcome.then(
        () => 'passed',
        (error: { code: string }) => error.code,
      ),
    );
  }
  return { outcomes, headers };
}

test('all limits of a request are counted in one round trip, when the first limit is enforced', async () => {
  const { limiter, counted } = aLimiter();
  const [first, second] = limiter([a, b]);
  const response = { getHeader: () => undefined, setHeader: () => undefined } as unknown as Response;
  expect(counted).toEqual([]);
  await first({} as Request, response);
  await second({} as Request, response);
  expect(counted).toEqual([['a', 'b']]);
});

test('concurrent requests keep their own counts and headers', async () => {
  const { limiter } = aLimiter();
  const results = await Promise.all([send(limiter), send(limiter)]);
  expect(results.map(({ outcomes }) => outcomes)).toEqual([
    ['passed', 'passed'],
    ['passed', 'RATE_LIMITED'],
  ]);
  const headers = Object.fromEntries(results[1].headers);
  expect(headers).toEqual({
    'RateLimit-Policy': '"ip";q=2;w=60, "key";q=1;w=60',
    RateLimit: '"ip";r=0;t=60, "key";r=0;t=60',
    'Retry-After': '60',
  });
});
