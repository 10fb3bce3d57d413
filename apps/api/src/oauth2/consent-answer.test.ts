import { describe, expect, test } from '@jest/globals';
import { toConsentAnswer } from './consent-answer.ts';

const state = 'a'.repeat(43);

describe('the answer of a service', () => {
  test('is a code, or a refusal whose code alone is repeated', () => {
    expect(toConsentAnswer({ state, code: 'c/1', scope: 'a' })).toEqual({ state, code: 'c/1' });
    expect(toConsentAnswer({ state, error: 'access_denied', error_description: 'Call 555' })).toEqual({
      state,
      refusal: 'access_denied',
    });
    expect(toConsentAnswer({ state, error: '<b>no' })).toEqual({ state, refusal: 'it did not say why' });
  });

  test('that is a refusal stays one beside a code', () => {
    expect(toConsentAnswer({ state, code: 'c', error: 'x' })).toEqual({ state, refusal: 'x' });
  });

  test.each([
    {},
    { state },
    { code: 'c' },
    { state: 'short', code: 'c' },
    { state: [state, state], code: 'c' },
    { state, code: ['c', 'd'] },
    { state, code: 'c'.repeat(4_097) },
  ])('is none: %j', (query) => {
    expect(toConsentAnswer(query)).toBeUndefined();
  });
});
