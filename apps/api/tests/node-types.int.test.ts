import { afterAll, describe, expect, test } from '@jest/globals';
import { startTestApi } from './support/test-api.ts';

const api = await startTestApi();
afterAll(() => api.close());

describe('node types', () => {
  test('are listed with their descriptions, ordered by type, in pages', async () => {
    const { body: all } = await api.call('GET', '/node-types?limit=250');
    const types = all.data.map(({ type }: { type: string }) => type);
    expect(types).toEqual([...new Set(types)].sort());
    expect(types).toEqual(expect.arrayContaining(['base.http-request', 'base.if', 'base.set']));
    const first = await api.call('GET', '/node-types?limit=2');
    const second = await api.call('GET', `/node-types?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.data.slice(0, 4));
    for (const query of ['cursor=x', 'limit=0', 'limit=251']) {
      expect((await api.call('GET', `/node-types?${query}`)).status).toBe(400);
    }
  });

  test('can be searched by words in their names and descriptions', async () => {
    const searchResults = async (search: string) => {
      const { status, body } = await api.call('GET', `/node-types?search=${encodeURIComponent(search)}`);
      expect(status).toBe(200);
      return body.data.map(({ type }: { type: string }) => type);
    };
    expect(await searchResults('SHEETS google')).toEqual(['base.google-sheets', 'base.google-sheets-trigger']);
    expect(await searchResults('base.if')).toEqual(['base.if']);
    expect(await searchResults('  ')).toHaveLength(100);
    expect(await searchResults('sheets notion')).toEqual([]);
    expect((await api.call('GET', `/node-types?search=${'x'.repeat(257)}`)).status).toBe(400);
    const first = await api.call('GET', '/node-types?search=trigger&limit=2');
    const next = (search: string) => api.call('GET', `/node-types?search=${search}&limit=2&cursor=${first.body.nextCursor}`);
    expect((await next('trigger')).body.data).toHaveLength(2);
    expect((await next('google')).status).toBe(400);
  });

  test('can be read individually', async () => {
    const { body } = await api.call('GET', '/node-types/base.set');
    expect(body).toMatchObject({ type: 'base.set', name: 'set', group: expect.any(Array), properties: expect.any(Array) });
    const alias = await api.call('GET', '/node-types/n8n-nodes-base.if');
    expect(alias.body).toEqual((await api.call('GET', '/node-types/base.if')).body);
    for (const type of ['base.none', 'n8n-nodes-base.none', 'set', '__proto__', '..%2f..']) {
      expect((await api.call('GET', `/node-types/${type}`)).status).toBe(404);
    }
  });
});
