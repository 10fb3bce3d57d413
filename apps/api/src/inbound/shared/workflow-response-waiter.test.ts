import { describe, expect, jest, test } from '@jest/globals';
import type { ResponseProgress, WebhookResponseRepository } from '@sluice/db';
import {
  type NodeRun,
  type ResponseNotification,
  UnavailableError,
  type WebhookResponse,
  type WebhookResponseSpec,
} from '@sluice/domain';
import { ExecutionNotifier } from '@sluice/queue';
import { WorkflowResponseWaiter } from './workflow-response-waiter.ts';

const disconnected = new AbortController().signal;
const lastRun: NodeRun = {
  startTime: 1,
  executionTime: 1,
  executionStatus: 'success',
  source: [],
  data: { main: [[{ json: { n: 1 } }]] },
};
const notified: WebhookResponse = { status: 201, headers: {}, body: { kind: 'text', text: 'notified' } };
const stored: WebhookResponse = { status: 200, headers: {}, body: { kind: 'text', text: 'stored' } };
const responseOf = (mode: WebhookResponseSpec['mode']): WebhookResponseSpec => ({
  mode,
  status: 200,
  headers: {},
  data: 'firstEntryJson',
});

function waiterOf(progress: ResponseProgress) {
  const notifier = new ExecutionNotifier();
  const read = jest.fn<WebhookResponseRepository['read']>(async () => progress);
  const outage = new AbortController();
  const webhookResponses = { read } as unknown as WebhookResponseRepository;
  const waiter = new WorkflowResponseWaiter({
    webhookResponses,
    notifier,
    redisWatch: { lost: outage.signal },
    waitMs: 3_600_000,
  });
  const lose = () => {
    outage.abort();
    notifier.wakeAll();
    return true;
  };
  const notify = (notification?: ResponseNotification) =>
    notifier.notify(['1'], new Map(notification ? [['1', JSON.stringify(notification)]] : []));
  const begin = (notification?: ResponseNotification) => async () => {
    notify(notification);
    return true;
  };
  return { waiter, notifier, read, notify, begin, lose };
}

test('a response that the notification contains is not read from the database', async () => {
  const { waiter, notifier, read, begin } = waiterOf({
    status: 'running',
    response: undefined,
    lastRun: undefined,
    isSkipped: false,
  });
  const byLastNode = waiter.waitFor('1', responseOf('lastNode'), { begin: begin({ lastRun }), disconnected });
  expect(await byLastNode).toMatchObject({ body: { kind: 'json', json: { n: 1 } } });
  const byNode = waiter.waitFor('1', responseOf('responseNode'), { begin: begin({ response: notified }), disconnected });
  expect(await byNode).toEqual(notified);
  expect(read).not.toHaveBeenCalled();
  expect(notifier.size).toBe(0);
});

test('a response is read from the database if the notification has no data', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'success', response: undefined, lastRun, isSkipped: false });
  const byLastNode = waiter.waitFor('1', responseOf('lastNode'), { begin: begin(), disconnected });
  expect(await byLastNode).toMatchObject({ body: { kind: 'json', json: { n: 1 } } });
  expect(read).toHaveBeenCalledTimes(1);
});

test('the error for a database failure still names the execution', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'running', response: undefined, lastRun: undefined, isSkipped: false });
  read.mockRejectedValueOnce(new UnavailableError('the database cannot be reached'));
  const waiting = waiter.waitFor('1', responseOf('lastNode'), { begin: begin(), disconnected });
  await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', executionId: '1' });
});

test('data of another kind or for another slot is not the response', async () => {
  const { waiter, read, begin } = waiterOf({ status: 'success', response: stored, lastRun, isSkipped: false });
  const started = { begin: begin({ lastRun }), disconnected };
  expect(await waiter.waitFor('1', responseOf('responseNode'), started)).toEqual(stored);
  const first = waiterOf({ status: 'running', response: undefined, lastRun: undefined, isSkipped: false });
  first.read.mockImplementationOnce(async () => {
    first.notify({ response: notified }); // for the request that started the execution
    return { status: 'running', response: undefined, lastRun: undefined, isSkipped: false };
  });
  first.read.mockImplementationOnce(async () => ({
    status: 'running',
    response: stored,
    lastRun: undefined,
    isSkipped: false,
  }));
  expect(await first.waiter.waitFor('1', responseOf('responseNode'), { slot: 2, disconnected })).toEqual(stored);
  expect(read).toHaveBeenCalledTimes(1);
});

describe('without Redis', () => {
  const unavailable = { code: 'SERVICE_UNAVAILABLE', executionId: '1' };

  test('neither a request nor a streaming response waits', async () => {
    const { waiter, notifier, lose } = waiterOf({
      status: 'running',
      response: undefined,
      lastRun: undefined,
      isSkipped: false,
    });
    const waiting = waiter.waitFor('1', responseOf('lastNode'), { begin: async () => false, disconnected });
    const never = new Promise<() => Promise<void>>(() => undefined);
    const streaming = waiter.waitFor('1', responseOf('streaming'), { listen: () => never, disconnected });
    lose();
    await expect(waiting).rejects.toMatchObject(unavailable);
    await expect(streaming).rejects.toMatchObject(unavailable);
    expect(notifier.size).toBe(0);
  });

  test('a response that is already stored is returned', async () => {
    const { waiter, lose } = waiterOf({ status: 'running', response: stored, lastRun: undefined, isSkipped: false });
    const waiting = waiter.waitFor('1', responseOf('responseNode'), { begin: async () => lose(), disconnected });
    expect(await waiting).toEqual(stored);
  });
});
