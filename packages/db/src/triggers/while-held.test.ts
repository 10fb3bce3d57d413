import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { whileHeld } from './while-held.ts';

const hold = { ids: ['1', '2'], heldBy: 'me', leaseMs: 30 };

/** A repository that answers as it is told, the last answer for ever. */
function answering(...answers: (boolean | Error)[]) {
  const asked: unknown[][] = [];
  const extend = async (...of: unknown[]) => {
    const answer = answers[Math.min(asked.push(of), answers.length) - 1];
    if (answer instanceof Error) throw answer;
    return answer === true;
  };
  return { asked, extend };
}

test('the hold is extended while the work goes on, and once more at its end', async () => {
  const registrations = answering(true);
  const work = async () => {
    await eventually(() => registrations.asked.length >= 3);
    return 'done';
  };
  expect(await whileHeld(registrations, { ...hold, leaseMs: 3_000 }, work)).toBe('done');
  const asked = registrations.asked.length;
  expect(asked).toBeGreaterThanOrEqual(4);
  expect(registrations.asked[0]).toEqual([['1', '2'], 'me', 3_000]);
  await delay(1_200); // more than a beat
  expect(registrations.asked).toHaveLength(asked);
});

test.each<[string, (boolean | Error)[], object]>([
  ['somebody else has them', [true, false], {}],
  ['the database does not answer within a lease', [new Error('away')], {}],
  ['the limit is over', [true], { limitMs: 60 }],
])('the work is left, with a conflict, when %s', async (_, answers, more) => {
  let signal: AbortSignal | undefined;
  const work = (given: AbortSignal) => {
    signal = given;
    return new Promise<never>(() => undefined);
  };
  await expect(whileHeld(answering(...answers), { ...hold, ...more }, work)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(signal?.aborted).toBe(true);
});

test('work that ends after somebody else has taken over counts for nothing', async () => {
  await expect(whileHeld(answering(false), { ...hold, leaseMs: 60_000 }, async () => 'done')).rejects.toMatchObject({
    code: 'CONFLICT',
  });
});

test('what the work throws is told, and nothing is extended after it', async () => {
  const registrations = answering(true);
  await expect(
    whileHeld(registrations, { ...hold, leaseMs: 60_000 }, async () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  expect(registrations.asked).toEqual([]);
});
