import { describe, expect, test } from '@jest/globals';
import { SecretScrubber } from '@sluice/vault';
import { failureMessage, pauseAfter } from './source-failure.ts';

describe('the pause after a failure', () => {
  test('doubles from one second to five minutes', () => {
    const pauses = [0, 1, 2, 8, 9, 1_000].map((failures) => pauseAfter(failures, () => 0.5));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
  });

  test('varies by a fifth', () => {
    expect([0, 1].map((random) => pauseAfter(3, () => random))).toEqual([6_400, 9_600]);
  });
});

describe('the message of a failure', () => {
  test('contains no secrets or characters that Postgres cannot store, and is truncated', () => {
    const scrubber = new SecretScrubber();
    scrubber.add({ password: 'a-very-secret-word' });
    const message = failureMessage(new Error(`a-very-secret-word\u0000\ud800${'x'.repeat(2_000)}`), scrubber);
    for (const part of ['secret-word', '\u0000', '\ud800']) expect(message).not.toContain(part);
    expect(message).toHaveLength(1_000);
  });

  test('is never empty', () => {
    expect(failureMessage(new Error(''), new SecretScrubber())).toBe('failed without a message');
  });
});
