import { describe, expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import type { AuditEntry } from './audit-entry.ts';
import { AuditLog } from './audit-log.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const entry = { action: 'workflow.run', outcome: 'success' } as AuditEntry;

describe('AuditLog', () => {
  test('writes entries that were recorded together in one statement, and flush waits for them', async () => {
    const groups: number[] = [];
    const insert = async (entries: readonly AuditEntry[]) => void groups.push(entries.length);
    const audit = new AuditLog({ insert, logger });
    for (let i = 0; i < 100; i += 1) audit.record(entry);
    await audit.flush();
    expect(groups).toEqual([100]);
  });

  test('fails no caller if the database is unreachable', async () => {
    const insert = () => Promise.reject(new Error('away'));
    const audit = new AuditLog({ insert, logger });
    audit.record(entry);
    await expect(audit.flush()).resolves.toBeUndefined();
  });
});
