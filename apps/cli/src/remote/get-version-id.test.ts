import { expect, test } from '@jest/globals';
import { createApiClient } from '@sluice/api-client';
import { getVersionId } from './get-version-id.ts';

const [url, apiKey] = ['http://127.0.0.1:1', 'key'];

function serverWith(versions: readonly { id: string; number: number }[]) {
  const fetch = async () => Response.json({ data: versions, nextCursor: null });
  return { url, apiKey, api: createApiClient({ url, apiKey, fetch }) };
}

test('finds the right version even if the server also returns others', async () => {
  const versions = [3, 2, 1].map((number) => ({ id: `id of ${number}`, number }));
  expect(await getVersionId(serverWith(versions), 'a', '2')).toBe('id of 2');
  await expect(getVersionId(serverWith(versions), 'a', '4')).rejects.toThrow('workflow a has no version 4');
});
