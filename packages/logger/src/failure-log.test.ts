import { expect, test } from '@jest/globals';
import { failureLog } from './failure-log.ts';

test('an unchanged error is logged once a minute, another one at once', () => {
  let now = 0;
  const lines: unknown[] = [];
  const fail = failureLog({ warn: (...line: unknown[]) => void lines.push(line) }, 'sweep failed', () => now);
  const away = new Error('the database cannot be reached', { cause: new Error('too many connections') });
  for (; now < 120_000; now += 1_000) fail(away);
  const line = [{ error: 'the database cannot be reached', cause: 'too many connections' }, 'sweep failed'];
  expect(lines).toEqual([line, line]);
  fail(new Error('the database took too long'));
  fail('text');
  expect(lines.slice(2)).toEqual([
    [{ error: 'the database took too long' }, 'sweep failed'],
    [{ error: 'text' }, 'sweep failed'],
  ]);
});
