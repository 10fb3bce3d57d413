import { expect, test } from '@jest/globals';
import { NotFoundError } from '@sluice/domain';
import type { Response } from 'express';
import type { ServerSentEvent } from '../http/response/server-sent-events.ts';
import { notifyOfProgress } from './follow-progress.ts';

async function* failing(error: Error): AsyncGenerator<ServerSentEvent> {
  yield { event: 'nodeStarted', data: { nodeName: 'A' } };
  throw error;
}

test.each<[string, () => Promise<AsyncIterable<ServerSentEvent>>, number]>([
  ['the stream cannot be opened', () => Promise.reject(new TypeError('a defect')), 1],
  ['the stream fails', async () => failing(new TypeError('a defect')), 1],
  ['the execution does not exist', () => Promise.reject(new NotFoundError('there is no such execution')), 0],
])('if %s, only progress notifications are lost', async (_, open, logged) => {
  const warnings: object[] = [];
  const following = {
    response: {} as Response,
    token: 't',
    ended: new AbortController().signal,
    logger: { warn: (fields: object) => warnings.push(fields) } as never,
  };
  await expect(notifyOfProgress(open, following)).resolves.toBeUndefined();
  expect(warnings).toHaveLength(logged);
});
