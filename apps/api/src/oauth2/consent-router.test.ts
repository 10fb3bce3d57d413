import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { UnavailableError } from '@sluice/domain';
import express from 'express';
import { requestId } from '../http/request/request-state.ts';
import { consentRouter } from './consent-router.ts';

const logger = { error: jest.fn() };
let problem: Error;
const fail = () => Promise.reject(problem);
const consents = { present: fail, complete: fail };
const server = createServer(
  express().use(requestId, consentRouter({ credentialConsents: consents as never, logger: logger as never })),
);

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => void server.close(resolve)));
beforeEach(() => void logger.error.mockReset());

const state = 's'.repeat(43);
test.each([
  ['GET', `/connect?state=${state}`],
  ['POST', '/connect'],
  ['GET', `/callback?state=${state}&code=c`],
])('a failure of %s %s is logged if it is a defect, and hidden from the user', async (method, path) => {
  const send = async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const response = await fetch(url, { method, headers: { 'sec-fetch-site': 'same-origin' } });
    return [response.status, await response.text()];
  };
  problem = new Error('a broken invariant');
  expect(await send()).toEqual([500, expect.not.stringContaining('invariant')]);
  expect(logger.error.mock.calls).toEqual([[{ err: problem, requestId: expect.any(String) }, 'request failed']]);
  problem = new UnavailableError('the database cannot be reached');
  expect(await send()).toEqual([503, expect.stringContaining('temporarily unavailable')]);
  expect(logger.error).toHaveBeenCalledTimes(1);
});
