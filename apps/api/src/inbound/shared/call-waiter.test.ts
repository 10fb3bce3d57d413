import { describe, expect, jest, test } from '@jest/globals';
import type { CallProgress, WebhookAnswers } from '@sluice/db';
import { type CallNews, type NodeRun, UnavailableError, type WebhookAnswer, type WebhookResponse } from '@sluice/domain';
import { EndedWaiter } from '@sluice/queue';
import { CallWaiter } from './call-waiter.ts';

const gone = new AbortController().signal;
const lastRun: NodeRun = {
  startTime: 1,
  executionTime: 1,
  executionStatus: 'success',
  source: [],
  data: { main: [[{ json: { n: 1 } }]] },
};
const answer: WebhookAnswer = { status: 201, headers: {}, body: { kind: 'text', text: 'told' } };
const stored: WebhookAnswer = { status: 200, headers: {}, body: { kind: 'text', text: 'stored' } };
const responseOf = (mode: WebhookResponse['mode']): WebhookResponse => ({
  mode,
  status: 200,
  headers: {},
  data: 'firstEntryJson',
});

function waiterOf(progress: CallProgress) {
  const news = new EndedWaiter();
  const read = jest.fn<WebhookAnswers['read']>(async () => progress);
  const outage = new AbortController();
  const answers = { read } as unknown as WebhookAnswers;
  const waiter = new CallWaiter({ answers, news, redis: { lost: outage.signal }, waitMs: 3_600_000 });
  const lose = () => {
    outage.abort();
    news.wakeAll();
    return true;
  };
  const tell = (told?: CallNews) => news.notify(['1'], new Map(told ? [['1', JSON.stringify(told)]] : []));
  const begin = (told?: CallNews) => async () => {
    tell(told);
    return true;
  };
  return { waiter, news, read, tell, begin, lose };
}

test('an answer that is told is not read', async () => {
  const { waiter, news, read, begin } = waiterOf({ status: 'running', answer: undefined, lastRun: undefined });
  const byLastNode = waiter.answerOf('1', responseOf('lastNode'), { begin: begin({ lastRun }), gone });
  expect(await byLastNode).toMatchObject({ body: { kind: 'json', json: { n: 1 } } });
  const byNode = waiter.answerOf('1', responseOf('responseNode'), { begin: begin({ answer }), gone });
  expect(await byNode).toEqual(answer);
  expect(read).not.toHaveBeenCalled();
  expect(news.size).toBe(0);
});

test('an answer of which nothing is told is read', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'success', answer: undefined, lastRun });
  const byLastNode = waiter.answerOf('1', responseOf('lastNode'), { begin: begin(), gone });
  expect(await byLastNode).toMatchObject({ body: { kind: 'json', json: { n: 1 } } });
  expect(read).toHaveBeenCalledTimes(1);
});

test('a database that is away leaves the caller the id of the execution', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'running', answer: undefined, lastRun: undefined });
  read.mockRejectedValueOnce(new UnavailableError('the database cannot be reached'));
  const waiting = waiter.answerOf('1', responseOf('lastNode'), { begin: begin(), gone });
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', executionId: '1' });
});

test('what is told of something else is not the answer', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'success', answer: stored, lastRun });
  const begun = { begin: begin({ lastRun }), gone };
  expect(await waiter.answerOf('1', responseOf('responseNode'), begun)).toEqual(stored);
  const first = waiterOf({ status: 'running', answer: undefined, lastRun: undefined });
  first.read.mockImplementationOnce(async () => {
    first.tell({ answer }); // to the call that has started the execution
    return { status: 'running', answer: undefined, lastRun: undefined };
  });
  first.read.mockImplementationOnce(async () => ({ status: 'running', answer: stored, lastRun: undefined }));
  expect(await first.waiter.answerOf('1', responseOf('responseNode'), { slot: 2, gone })).toEqual(stored);
  expect(read).toHaveBeenCalledTimes(1);
});

describe('while Redis is away', () => {
  const unanswered = { code: 'SERVICE_UNAVAILABLE', executionId: '1' };

  test('a caller is not left waiting, nor is one whose answer streams', async () => {
    const { waiter, news, lose } = waiterOf({ status: 'running', answer: undefined, lastRun: undefined });
    const waiting = waiter.answerOf('1', responseOf('lastNode'), { begin: async () => false, gone });
    const never = new Promise<() => Promise<void>>(() => undefined);
    const streaming = waiter.answerOf('1', responseOf('streaming'), { listen: () => never, gone });
    lose();
    await expect(waiting).rejects.toMatchObject(unanswered);
    await expect(streaming).rejects.toMatchObject(unanswered);
    expect(news.size).toBe(0);
  });

  test('an answer that is there already is given', async () => {
    const { waiter, lose } = waiterOf({ status: 'running', answer: stored, lastRun: undefined });
    const waiting = waiter.answerOf('1', responseOf('responseNode'), { begin: async () => lose(), gone });
    expect(await waiting).toEqual(stored);
  });
});
