import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { NotFoundError, ValidationError } from '@sluice/domain';
import type { NextFunction, Request, Response } from 'express';
import { MemoryCounters } from './counters.ts';
import { createLimiter } from './limiter.ts';
import { missLimit } from './miss-limit.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function limited(missMax: number) {
  const windowMs = 1_000;
  const counters = new MemoryCounters({ windowMs });
  const limiter = createLimiter({ counters, windowMs });
  const { count, refuse } = missLimit({ counters, limiter, missMax });
  const response = { getHeader: () => undefined, setHeader: () => undefined } as unknown as Response;
  const request = { ip: '10.0.0.1' } as Request;
  const codeOf = async (work: (next: NextFunction) => unknown) => {
    try {
      let passed: unknown;
      await work((error?: unknown) => {
        passed = error;
      });
      return (passed as { code?: string } | undefined)?.code;
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  return {
    miss: (error: unknown = new NotFoundError('nothing')) => codeOf((next) => count(error, request, response, next)),
    call: () => codeOf((next) => refuse(request, response, next)),
  };
}

test('after one miss too many, every request is rejected until the window ends', async () => {
  const { miss, call } = limited(2);
  expect([await miss(), await miss(), await call()]).toEqual(['NOT_FOUND', 'NOT_FOUND', undefined]);
  expect([await miss(), await call()]).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
  jest.advanceTimersByTime(1_001);
  expect([await call(), await miss()]).toEqual([undefined, 'NOT_FOUND']);
});

test('other errors do not count', async () => {
  const { miss } = limited(1);
  for (let i = 0; i < 3; i++) expect(await miss(new ValidationError('odd', ''))).toBe('VALIDATION_ERROR');
  expect(await miss()).toBe('NOT_FOUND');
});
