import { describe, expect, test } from '@jest/globals';
import { toConsentResponse } from './consent-response.ts';

const state = 'a'.repeat(43);

describe('the response of a service', () => {
  test('is a code, or a refusal whose code alone is repeated', () => {
    expect(toConsentResponse({ state, code: 'c/1', scope: 'a' })).toEqual({ state, code: 'c/1', parameters: { scope: 'a' } });
    expect(toConsentResponse({ state, error: 'access_denied', error_description: 'Call 555' })).toEqual({
      state,
      refusal: 'access_denied',
    });
    expect(toConsentResponse({ state, error: '<b>no' })).toEqual({ state, refusal: 'it did not say why' });
  });

  test('has further short strings, such as the account that the user chose', () => {
    const query = { state, code: 'c', realmId: '42', list: ['a', 'b'], long: 'x'.repeat(1_025) };
    expect(toConsentResponse(query)).toEqual({ state, code: 'c', parameters: { realmId: '42' } });
  });

  test('that is a refusal is a refusal even with a code', () => {
    expect(toConsentResponse({ state, code: 'c', error: 'x' })).toEqual({ state, refusal: 'x' });
  });

  test.each([
    {},
    { state },
    { code: 'c' },
    { state: 'short', code: 'c' },
    { state: [state, state], code: 'c' },
    { state, code: ['c', 'd'] },
    { state, code: 'c'.repeat(4_097) },
  ])('is not recognized in %j', (query) => {
    expect(toConsentResponse(query)).toBeUndefined();
  });
});
