import { describe, expect, test } from '@jest/globals';
import { Type } from '@sluice/contract';
import { DerivedMac, generateMasterKey, KeyRing } from '@sluice/vault';
import { decodeCursor, encodeCursor, PageCursors, type PageRequest } from './page-cursors.ts';

const [first, second] = [generateMasterKey(), generateMasterKey()];
const cursorsOf = (...keys: string[]) => new PageCursors(new DerivedMac(KeyRing.parse(keys), 'test'));
const route = { query: Type.Object({ cursor: Type.String(), limit: Type.Integer(), name: Type.String() }) };
const request = (query: Record<string, unknown> = {}, path = '/workflows'): PageRequest => ({ route, path, query });

function sealed(cursors: PageCursors, pageRequest: PageRequest, position = 'eyJpZCI6IjEifQ'): string {
  return (cursors.seal(pageRequest, { status: 200, body: { data: [], nextCursor: position } }).body as { nextCursor: string })
    .nextCursor;
}

describe('a cursor', () => {
  const cursor = sealed(cursorsOf(first), request({ name: 'a' }));
  const open = (query: Record<string, unknown>, path?: string, cursors = cursorsOf(first)) =>
    cursors.open(request(query, path))['cursor'];

  test('is accepted by every replica and with any page size', () => {
    expect(open({ cursor, name: 'a' })).toBe('eyJpZCI6IjEifQ');
    expect(open({ cursor, name: 'a', limit: '7' })).toBe('eyJpZCI6IjEifQ');
  });

  test('is rejected if any character was changed', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/.';
    for (let at = 0; at < cursor.length; at += 1) {
      for (const character of alphabet) {
        const changed = `${cursor.slice(0, at)}${character}${cursor.slice(at + 1)}`;
        if (changed !== cursor) expect(() => open({ cursor: changed, name: 'a' })).toThrow('cursor');
      }
      expect(() => open({ cursor: cursor.slice(0, at + 1).slice(0, -1) || 'x', name: 'a' })).toThrow('cursor');
    }
    for (const longer of [`${cursor}=`, `${cursor} `, ` ${cursor}`, `${cursor}A`]) {
      expect(() => open({ cursor: longer, name: 'a' })).toThrow('cursor');
    }
  });

  test('is rejected for another list or other filters', () => {
    expect(() => open({ cursor, name: 'a' }, '/tags')).toThrow('cursor');
    expect(() => open({ cursor, name: 'b' })).toThrow('cursor');
    expect(() => open({ cursor })).toThrow('cursor');
  });

  test('is accepted for the same statuses and tags in another order', () => {
    const lists = { query: Type.Object({ cursor: Type.String(), status: Type.String(), tags: Type.String() }) };
    const requestOf = (query: Record<string, unknown>): PageRequest => ({ route: lists, path: '/x', query });
    const ofLists = sealed(cursorsOf(first), requestOf({ status: 'new,error', tags: 'b,a' }));
    const openWith = (query: object) => cursorsOf(first).open(requestOf({ cursor: ofLists, ...query }))['cursor'];
    expect(openWith({ status: 'error,new,new', tags: 'a, b' })).toBe('eyJpZCI6IjEifQ');
    expect(() => openWith({ status: 'error', tags: 'a,b' })).toThrow('cursor');
    expect(() => openWith({ status: 'new,error', tags: 'a,b,c' })).toThrow('cursor');
  });

  test('stays valid during a rotation of the master key and becomes invalid with the old key', () => {
    const pageRequest = { cursor, name: 'a' };
    expect(open(pageRequest, undefined, cursorsOf(first, second))).toBe('eyJpZCI6IjEifQ');
    expect(open(pageRequest, undefined, cursorsOf(second, first))).toBe('eyJpZCI6IjEifQ');
    expect(() => open(pageRequest, undefined, cursorsOf(second))).toThrow('cursor');
  });
});

test('a response that several requests share is sealed once', () => {
  const cursors = cursorsOf(first);
  const response = { status: 200, body: { nextCursor: 'x' }, shared: true };
  expect(cursors.seal(request(), response).body).toBe(cursors.seal(request(), response).body);
});

test('the last page, which has no cursor, is returned unchanged', () => {
  const response = { status: 200, body: { nextCursor: null } };
  expect(cursorsOf(first).seal(request(), response)).toBe(response);
});

test('a cursor survives a round trip but is invalid for other lists', () => {
  const position = { id: 'abc', at: '1700000000000000' };
  expect(decodeCursor('workflows', encodeCursor('workflows', position))).toMatchObject(position);
  expect(() => decodeCursor('executions', encodeCursor('workflows', position))).toThrow('cursor');
});
