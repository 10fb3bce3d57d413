import { expect, test } from '@jest/globals';
import { StreamSlots } from './stream-slots.ts';

const open = (slots: StreamSlots, key: string) => {
  const controller = new AbortController();
  slots.take(key, controller.signal);
  return () => controller.abort();
};

test('a key has a limited number of streams; a closed stream frees its slot once', () => {
  const slots = new StreamSlots({ max: 10, maxPerKey: 2 });
  const close = open(slots, 'a');
  open(slots, 'a');
  expect(() => open(slots, 'a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
  open(slots, 'b');
  close();
  close();
  open(slots, 'a');
  expect(() => open(slots, 'a')).toThrow(expect.objectContaining({ code: 'RATE_LIMITED' }));
});

test('a process has a limit for all keys together', () => {
  const slots = new StreamSlots({ max: 2, maxPerKey: 2 });
  const close = open(slots, 'a');
  open(slots, 'b');
  expect(() => open(slots, 'c')).toThrow(expect.objectContaining({ code: 'SERVICE_UNAVAILABLE' }));
  close();
  open(slots, 'c');
});

test('of a disconnected client takes no slot', () => {
  const slots = new StreamSlots({ max: 1, maxPerKey: 1 });
  slots.take('a', AbortSignal.abort());
  open(slots, 'a');
});
