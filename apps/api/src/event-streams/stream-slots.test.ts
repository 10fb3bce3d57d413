import { expect, test } from '@jest/globals';
import { StreamSlots } from './stream-slots.ts';

const open = (slots: StreamSlots, key: string, tenant = key) => {
  const controller = new AbortController();
  slots.take({ key, tenant }, controller.signal);
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

test('a tenant cannot use all slots, regardless of its number of keys', () => {
  const slots = new StreamSlots({ max: 100, maxPerKey: 2 });
  const openAll = (tenant: string) => {
    const closes: (() => void)[] = [];
    try {
      for (let i = 0; ; i += 1) closes.push(open(slots, `${tenant} ${i}`, tenant));
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED' });
      return closes;
    }
  };
  const first = openAll('a');
  expect([first.length, openAll('b').length, openAll('c').length]).toEqual([50, 25, 13]);
  for (const close of first) close();
  expect(openAll('d').length).toBe(31);
});

test('a disconnected client takes no slot', () => {
  const slots = new StreamSlots({ max: 1, maxPerKey: 1 });
  slots.take({ key: 'a', tenant: 'a' }, AbortSignal.abort());
  open(slots, 'a');
});
