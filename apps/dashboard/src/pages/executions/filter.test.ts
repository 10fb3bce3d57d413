import { describe, expect, test } from '@jest/globals';
import { isFiltered, parseFilter, toggleStatus, toQuery } from './filter.ts';
import { mergeRows, startedSince } from './merge-rows.ts';

const now = Date.parse('2026-11-20T12:00:30Z');

describe('filters of executions', () => {
  test('are read from the URL; other values in it are ignored', () => {
    expect(parseFilter({ status: 'error', mode: '', tab: 'x' })).toEqual({ status: 'error' });
    expect(isFiltered(parseFilter({ tab: 'x' }))).toBe(false);
  });

  test('toggle statuses one by one', () => {
    const one = toggleStatus({ mode: 'retry' }, 'error');
    const two = toggleStatus(one, 'crashed');
    expect([one.status, two.status]).toEqual(['error', 'error,crashed']);
    expect(toggleStatus(toggleStatus(two, 'error'), 'crashed')).toEqual({ mode: 'retry', status: undefined });
  });

  test('become a query; a range starts at a full minute, unless a start is set', () => {
    expect(toQuery({ range: '1h', mode: 'webhook' }, now)).toEqual({
      mode: 'webhook',
      startedAfter: '2026-11-20T11:00:00.000Z',
    });
    expect(toQuery({ range: '1h', after: '2026-01-01' }, now)).toEqual({ startedAfter: '2026-01-01' });
    expect(toQuery({ range: 'nonsense', mode: 'nonsense' }, now)).toEqual({});
    expect(toQuery({ range: 'constructor' }, now)).toEqual({});
  });
});

describe('rows of a growing list', () => {
  const rows = (...ids: number[]) => ids.map((id) => ({ id: String(id) }));
  const idsOf = (merged: { rows: { id: string }[] }) => merged.rows.map(({ id }) => Number(id));

  test('new rows come first, even when IDs get longer', () => {
    expect(idsOf(mergeRows(rows(99, 98, 97), rows(100, 99), false))).toEqual([100, 99, 98, 97]);
  });

  test('rows that are no longer in the newest page disappear', () => {
    expect(idsOf(mergeRows(rows(5, 4, 3, 2), rows(5, 3), false))).toEqual([5, 3, 2]);
    expect(idsOf(mergeRows(rows(5, 4), rows(5), true))).toEqual([5]);
    expect(idsOf(mergeRows(rows(5, 4), [], true))).toEqual([]);
  });

  test('rows that are no longer in the time range disappear, and rows that have not started remain', () => {
    const read = [null, '2026-01-01T10:00:00.500Z', '2026-01-01T09:59:59.999Z'].map((startedAt) => ({ startedAt }));
    expect(startedSince(read, '2026-01-01T10:00:00.000Z')).toEqual(read.slice(0, 2));
    expect(startedSince(read, undefined)).toEqual(read);
  });

  test('a gap between the newest page and the others is reported', () => {
    expect(mergeRows(rows(5, 4), rows(9, 8), false).hasGap).toBe(true);
    expect(mergeRows(rows(5, 4), rows(6, 5), false).hasGap).toBe(false);
  });
});
