import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import { anonymousLimit } from './anonymous-limit.ts';
import { MemoryCounters } from './counters.ts';
import { createLimiter } from './limiter.ts';

function aLimit(anonymousMax: { address: number; route: number }) {
  const windowMs = 60_000;
  const counters = new MemoryCounters({ windowMs });
  const limiter = createLimiter({ counters, windowMs });
  const limit = anonymousLimit({ limiter, anonymousMax, storageQuotas: { assertCapacityFor: async () => undefined } });
  const response = { getHeader: () => undefined, setHeader: () => undefined } as unknown as Response;
  const admit = (request: Request, route: string) =>
    limit.admit(request, response, { workflowId: 'w', nodeName: route }).then(
      () => 'admitted',
      (error: { code: string }) => error.code,
    );
  return { admit, from: (ip: string, route = 'a') => admit({ ip } as Request, route) };
}

test('requests are limited per route, whatever their addresses', async () => {
  const { from } = aLimit({ address: 10, route: 2 });
  expect([await from('10.0.0.1'), await from('10.0.0.2'), await from('10.0.0.3')]).toEqual([
    'admitted',
    'admitted',
    'RATE_LIMITED',
  ]);
  expect(await from('10.0.0.1', 'b')).toBe('admitted');
});

test('requests are limited per address, across routes; rejected requests do not count for the route', async () => {
  const { from } = aLimit({ address: 2, route: 3 });
  expect([await from('10.0.0.1'), await from('10.0.0.1', 'b'), await from('10.0.0.1')]).toEqual([
    'admitted',
    'admitted',
    'RATE_LIMITED',
  ]);
  expect([await from('10.0.0.2'), await from('10.0.0.3'), await from('10.0.0.4')]).toEqual([
    'admitted',
    'admitted',
    'RATE_LIMITED',
  ]);
});

test('a request counts once', async () => {
  const { admit } = aLimit({ address: 1, route: 1 });
  const request = { ip: '10.0.0.1' } as Request;
  expect([await admit(request, 'a'), await admit(request, 'a')]).toEqual(['admitted', 'admitted']);
});
