import { expect, test } from '@jest/globals';
import { buildCredentialConnectionsRequiredResponse } from './call-authentication.ts';

const message = 'credentials must be connected first';

test('the response contains only names, types, and URLs of the credentials', () => {
  const mail = { credentialName: 'Mail', credentialType: 'mailApi', authorizationUrl: 'https://a.example', secret: 's' };
  for (const status of [[mail], { readyToExecute: false, credentials: [mail] }]) {
    const { secret: _, ...details } = mail;
    expect(buildCredentialConnectionsRequiredResponse(status)).toEqual({ message, credentials: [details] });
  }
});

test.each([undefined, null, 5, 'text', {}, [1, null]])('without credentials, the response is empty: %j', (status) => {
  expect(buildCredentialConnectionsRequiredResponse(status)).toEqual({ message, credentials: [] });
});
