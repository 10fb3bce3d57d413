import { describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '@sluice/db';
import { RefusalLog } from './refusal-log.ts';

const actor = { actor: null, userId: null, keyId: null, ip: '10.0.0.1', requestId: 'r' };
const unknownKey = { actor, action: 'auth.failure' as const, details: { reason: 'unknown' } };

function setUp() {
  const lines: AuditEntry[] = [];
  return { lines, refusals: new RefusalLog((entry) => void lines.push(entry)) };
}

describe('RefusalLog', () => {
  test('equal refusals write two entries: the first immediately, and later one with the number of the rest', () => {
    const { lines, refusals } = setUp();
    for (let i = 0; i < 1000; i += 1) refusals.note(unknownKey);
    expect(lines).toMatchObject([{ action: 'auth.failure', outcome: 'denied', requestId: 'r' }]);
    refusals.flush();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ requestId: null, details: { reason: 'unknown', repeated: 999 } });
  });

  test('refusals with different addresses, keys, or reasons are separate', () => {
    const { lines, refusals } = setUp();
    refusals.note(unknownKey);
    refusals.note({ ...unknownKey, actor: { ...actor, ip: '10.0.0.2' } });
    refusals.note({ ...unknownKey, details: { reason: 'expired' } });
    refusals.flush();
    expect(lines).toHaveLength(3);
  });

  test('ten thousand addresses do not exhaust memory: their windows end early', () => {
    const { lines, refusals } = setUp();
    for (let i = 0; i <= 10_000; i += 1) refusals.note({ ...unknownKey, actor: { ...actor, ip: `ip-${i}` } });
    refusals.note({ ...unknownKey, actor: { ...actor, ip: 'ip-0' } });
    refusals.flush();
    expect(lines).toHaveLength(10_002);
  });
});
