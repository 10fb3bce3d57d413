import { describe, expect, test } from '@jest/globals';
import { pageByCreation } from './page.ts';
import { decodeCursor } from './page-cursors.ts';

const entries = ['c', 'b', 'a'].map((id) => ({ id, createdAtUs: '1' }));

describe('pageByCreation', () => {
  test('there is a next page if the query found more entries than requested', async () => {
    const page = await pageByCreation('workflows', { limit: 2 }, async () => entries);
    expect(page.data).toEqual(entries.slice(0, 2));
    expect(decodeCursor('workflows', page.nextCursor ?? '')).toMatchObject({ id: 'b', at: '1' });
    expect((await pageByCreation('workflows', { limit: 3 }, async () => entries)).nextCursor).toBeNull();
  });

  test('a page that was cut short has a next page', async () => {
    const page = await pageByCreation('workflows', { limit: 10 }, async () => ({ entries, cut: true }));
    expect(page.data).toEqual(entries);
    expect(decodeCursor('workflows', page.nextCursor ?? '')).toMatchObject({ id: 'a', at: '1' });
  });
});
