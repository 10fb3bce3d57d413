import { eventually } from '@sluice/test-support';
import { queryDatabase } from './database.ts';

/**
 * Resolves when every worker's lease has been renewed until `ms` have passed on the database's
 * clock.
 */
export async function untilLeasesMovedOn(databaseUrl: string, ms: number): Promise<void> {
  const earliest = async () => {
    const [row] = await queryDatabase<{ at: Date }>(databaseUrl, 'SELECT min(lease_expires_at) AS at FROM workers');
    return row?.at.getTime() ?? 0;
  };
  const before = await earliest();
  await eventually(async () => (await earliest()) > before + ms, { timeoutMs: 2 * ms + 60_000 });
}
