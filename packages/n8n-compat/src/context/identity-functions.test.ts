import { describe, expect, test } from '@jest/globals';
import type { NodeLogger, RequestingUser } from '@sluice/node-sdk';
import { identityFunctions } from './identity-functions.ts';

const users: Record<string, RequestingUser> = {
  good: { id: 'u1', email: 'ann@example.com', mayStart: true },
  reader: { id: 'u2', email: 'bob@example.com', mayStart: false },
};

function functions() {
  const lines: object[] = [];
  const logger = { info: (fields: object) => void lines.push(fields) } as unknown as NodeLogger;
  return { lines, ...identityFunctions({ identify: async (key) => users[key], logger }) };
}
const resource = 'https://sluice.example/webhook/x';
const userView = (id: string, email: string) => ({ id, email, firstName: '', lastName: '' });

describe('the user of a request', () => {
  test('is identified by an API key instead of a session', async () => {
    expect(await functions().validateCookieAuth('reader')).toEqual(userView('u2', 'bob@example.com'));
  });

  test('is identified by an API key instead of a token, if it may run the workflow', async () => {
    expect(await functions().validateN8nOAuth2Token('good', resource)).toEqual({
      valid: true,
      user: userView('u1', 'ann@example.com'),
    });
  });

  test('is logged once identified', async () => {
    const { lines, establishTriggerIdentity } = functions();
    await establishTriggerIdentity('good', resource);
    expect(lines).toEqual([{ userId: 'u1' }]);
  });

  test.each(['validateN8nOAuth2Token', 'establishTriggerIdentity'] as const)(
    'a key that may not run the workflow is refused with 403: %s',
    async (name) => {
      const { lines, ...all } = functions();
      await expect(all[name]('reader', resource)).rejects.toMatchObject({ statusCode: 403, httpCode: '403' });
      expect(lines).toEqual([]);
    },
  );

  const calls = (['validateCookieAuth', 'validateN8nOAuth2Token', 'establishTriggerIdentity'] as const).flatMap((name) =>
    ['wrong', '', undefined, null, {}].map((secret) => ({ name, secret })),
  );
  test.each(calls)('an invalid key is rejected with 401: $name($secret)', async ({ name, secret }) => {
    await expect(functions()[name](secret)).rejects.toMatchObject({ statusCode: 401 });
  });

  test('every request is rejected if there are no users', async () => {
    const { logger } = { logger: { info: () => undefined } as unknown as NodeLogger };
    await expect(identityFunctions({ logger }).validateCookieAuth('good')).rejects.toMatchObject({ statusCode: 401 });
  });
});
