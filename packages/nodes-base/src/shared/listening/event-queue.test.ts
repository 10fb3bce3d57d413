import { expect, jest, test } from '@jest/globals';
import { AppError, type EmittedExecution, type ListenContext } from '@sluice/node-sdk';
import { MemoryBudget } from '@sluice/node-sdk/testing';
import { EventQueue } from './event-queue.ts';

const started = {} as EmittedExecution;

function context(emit: ListenContext['emit']) {
  const failed = jest.fn();
  const error = jest.fn();
  const logger = { debug: () => {}, info: () => {}, warn: () => {}, error };
  const signal = new AbortController().signal;
  return { failed, error, context: { emit, failed, logger, signal } as unknown as ListenContext };
}

test('too many events end the listener, and no queued event is lost', async () => {
  const { promise, resolve } = Promise.withResolvers<EmittedExecution>();
  const emit = jest.fn(() => promise);
  const fake = context(emit);
  const queue = new EventQueue(fake.context);
  for (let n = 0; n < 1_001; n++) queue.push([{ json: { n } }], 1);
  expect(fake.failed).toHaveBeenCalledTimes(1);
  expect(fake.failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'TRIGGER_BUSY', kind: 'transient' }));
  resolve(started);
  await queue.drained();
  expect(emit).toHaveBeenCalledTimes(1_000);
});

test('events whose total size is too large end the listener; events that started an execution no longer count', async () => {
  const fake = context(async () => started);
  const queue = new EventQueue(fake.context);
  const large = 40 * 1024 * 1024;
  queue.push([{ json: {} }], large);
  await queue.drained();
  queue.push([{ json: {} }], large);
  expect(fake.failed).not.toHaveBeenCalled();
  queue.push([{ json: {} }], large);
  expect(fake.failed).toHaveBeenCalledTimes(1);
  await queue.drained();
});

test('queued events count as memory of the listener until they have started executions', async () => {
  const fake = context(async () => started);
  const memory = new MemoryBudget({ limit: 1, inUse: () => 0 }).open(new AbortController().signal, { isEndless: true });
  const queue = memory.run(() => new EventQueue(fake.context));
  queue.push([{ json: {} }], 1_000);
  expect(memory.size).toBe(2_000);
  await queue.drained();
  expect(memory.size).toBe(0);
});

test('an event that cannot start an execution is logged and does not block others', async () => {
  const emit = jest.fn<ListenContext['emit']>(async () => started);
  emit.mockRejectedValueOnce(new AppError({ code: 'TRIGGER_DATA_TOO_LARGE', message: 'too large' }));
  const fake = context(emit);
  const queue = new EventQueue(fake.context);
  queue.push([{ json: {} }], 1);
  queue.push([{ json: {} }], 1);
  await queue.drained();
  expect(emit).toHaveBeenCalledTimes(2);
  expect(fake.error).toHaveBeenCalledWith({ reason: 'too large' }, expect.any(String));
  expect(fake.failed).not.toHaveBeenCalled();
});
