/**
 * Durations are counted in bins that grow by a tenth: bin `n` contains durations above `1.1 ** (n -
 * 1)` and up to `1.1 ** n` milliseconds. A percentile read from them is within 5% of the exact one,
 * and bins of any two periods can be added.
 */
const growth = 1.1;

/** Bin of executions that ended without a start. */
export const noDuration = -1;

/**
 * SQL for the bin of the duration between two timestamps. `date_part` returns a `float8`; the
 * logarithm of a `numeric`, as `extract` returns, takes ten times as long.
 */
export const binSql = (startedAt: string, stoppedAt: string) => `CASE WHEN ${startedAt} IS NULL THEN ${noDuration}
  ELSE ceil(ln(greatest(date_part('epoch', ${stoppedAt} - ${startedAt}) * 1000, 1)) / ln(${growth}::float8))::smallint END`;

/** Milliseconds for a bin: its middle, by relative error. */
export function durationOfBin(bin: number): number {
  return Math.round((2 * growth ** bin) / (growth + 1));
}

/** The bin in which the share `quantile` of all counts is reached; `undefined` without counts. */
export function quantileBin(counts: ReadonlyMap<number, number>, quantile: number): number | undefined {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  let before = 0;
  for (const bin of [...counts.keys()].sort((a, b) => a - b)) {
    before += counts.get(bin) ?? 0;
    if (before >= quantile * total) return bin;
  }
  return undefined;
}
