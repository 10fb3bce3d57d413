import { eventually } from '@sluice/test-support';
import { queryDatabase } from './database.ts';

/** Waits until every worker has renewed its lease for `ms` more milliseconds of database time. */
export async function untilLeasesRenewed(databaseUrl: string, ms: number): Promise<void> {
  const earliest = async () => {
    const [row] = await queryDatabase<{ at: Date }>(databaseUrl, 'SELECT min(lease_expires_at) AS at FROM workers');
    return row?.at.getTime() ?? 0;
  };
  const before = await earliest();
  await eventually(async () => (await earliest()) > before + ms, { timeoutMs: 2 * ms + 60_000 });
}
