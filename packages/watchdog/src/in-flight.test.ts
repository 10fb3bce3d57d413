import { expect, test } from '@jest/globals';
import { InFlight } from './in-flight.ts';

const fields = ['executionId', 'nodeName'];

test('another view of the memory lists the work in flight, latest entry first', () => {
  const own = new InFlight(fields);
  const other = new InFlight(fields, own.memory);
  const first = own.enter('1', 'First');
  own.enter('2', 'Second ✓');
  const third = own.enter('3', 'Third');
  own.leave(third);

  expect(other.list()).toEqual([
    { executionId: '2', nodeName: 'Second ✓' },
    { executionId: '1', nodeName: 'First' },
  ]);
  own.leave(first);
  expect(other.list()).toEqual([{ executionId: '2', nodeName: 'Second ✓' }]);
});

test('an entry longer than its slot is truncated, and does not overwrite other entries', () => {
  const inFlight = new InFlight(fields);
  inFlight.enter('1', 'short');
  inFlight.enter('2', 'ü'.repeat(5_000));
  inFlight.enter('3', 'short');

  const [last, long, first] = inFlight.list();
  expect([last, first]).toEqual([
    { executionId: '3', nodeName: 'short' },
    { executionId: '1', nodeName: 'short' },
  ]);
  expect(long?.['nodeName']).toMatch(/^ü{200,}$/);
});

test('entries beyond the last slot are not recorded, and have no side effects', () => {
  const inFlight = new InFlight(fields);
  const entries = Array.from({ length: 2_000 }, (_, i) => inFlight.enter(String(i), 'node'));
  expect(inFlight.list()).toHaveLength(1_024);
  for (const entry of entries) inFlight.leave(entry);
  expect(inFlight.list()).toEqual([]);
});
