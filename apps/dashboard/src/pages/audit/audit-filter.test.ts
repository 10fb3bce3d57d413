import { describe, expect, test } from '@jest/globals';
import { parseFilter, toQuery } from './audit-filter.ts';

describe('the audit log filter', () => {
  test('reads its fields from the URL and ignores an unknown range', () => {
    expect(parseFilter({ actor: 'ann@example.com', object: '', range: '7d', other: 'x' })).toEqual({
      actor: 'ann@example.com',
      range: '7d',
    });
    expect(parseFilter({ range: 'constructor' })).toEqual({});
  });

  test('becomes an API query, with the start of the range', () => {
    const now = Date.parse('2026-05-02T12:00:00Z');
    expect(toQuery({ object: 'workflow', range: '24h' }, now)).toEqual({
      object: 'workflow',
      since: '2026-05-01T12:00:00.000Z',
    });
    expect(toQuery({}, now)).toEqual({});
  });
});
