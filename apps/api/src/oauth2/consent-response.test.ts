import { describe, expect, test } from '@jest/globals';
import { toConsentResponse } from './consent-response.ts';

const state = 'a'.repeat(43);

describe('the response of an authorization server', () => {
  test('is a code or an error, of which only the error code is shown', () => {
    expect(toConsentResponse({ state, code: 'c/1', scope: 'a' })).toEqual({ state, code: 'c/1', parameters: { scope: 'a' } });
    expect(toConsentResponse({ state, error: 'access_denied', error_description: 'Call 555' })).toEqual({
      state,
      refusal: 'access_denied',
    });
    expect(toConsentResponse({ state, error: '<b>no' })).toEqual({ state, refusal: 'it did not say why' });
  });

  test('can have more short parameters, such as the account that the user chose', () => {
    const query = { state, code: 'c', realmId: '42', list: ['a', 'b'], long: 'x'.repeat(1_025) };
    expect(toConsentResponse(query)).toEqual({ state, code: 'c', parameters: { realmId: '42' } });
  });

  test('with both an error and a code is an error', () => {
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
