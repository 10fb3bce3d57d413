import { describe, expect, test } from '@jest/globals';
import type { HttpRequest } from '@sluice/node-sdk';
import { type ApiAccess, ApiClient } from './api-client.ts';

const client = new ApiClient({ service: 'Acme', credentialType: () => undefined, baseUrl: 'https://api.acme.test/v1' });

/** Addresses of the requests for a path. */
async function sentFor(path: string): Promise<string[]> {
  const sent: string[] = [];
  const request = async ({ url }: HttpRequest) => {
    sent.push(url);
    return { status: 200, statusText: '', headers: {}, body: Buffer.from('{}'), url };
  };
  const access = { http: { request }, signal: new AbortController().signal, itemIndex: 2 } as unknown as ApiAccess;
  await client.send(access, { method: 'DELETE', path });
  return sent;
}

describe('an ID in the path of a request', () => {
  const pathOf = (id: string) => `/calendars/c/events/${encodeURIComponent(id)}`;

  test.each(['..', '.'])('cannot be %j: it would name another resource', async (id) => {
    await expect(sentFor(pathOf(id))).rejects.toMatchObject({ message: /cannot be part of an address/, itemIndex: 2 });
  });

  test.each(['../x', '%2e%2e', 'a..b'])('%j stays one segment', async (id) => {
    const [url = ''] = await sentFor(pathOf(id));
    expect(new URL(url).pathname).toBe(`/v1${pathOf(id)}`);
  });
});
