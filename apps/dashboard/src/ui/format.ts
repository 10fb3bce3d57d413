/** `1.2 s`, `340 ms`, `3 min 5 s`, `2 h 4 min`, `5 d 3 h` */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const [big, small, size] =
    ms < 3_600_000 ? ['min', 's', 60_000] : ms < 86_400_000 ? ['h', 'min', 3_600_000] : ['d', 'h', 86_400_000];
  const parts = { min: 1_000, h: 60_000, d: 3_600_000 } as const;
  const whole = Math.floor(ms / (size as number));
  const rest = Math.floor((ms - whole * (size as number)) / parts[big as keyof typeof parts]);
  return rest === 0 ? `${whole} ${big}` : `${whole} ${big} ${rest} ${small}`;
}

/** `just now`, `5 min ago`, `in 2 h`; days and above as a date. */
export function formatRelative(time: number, now: number): string {
  const ms = now - time;
  const distance = Math.abs(ms);
  if (distance < 5_000) return 'just now';
  if (distance >= 7 * 86_400_000) return new Date(time).toLocaleDateString(undefined, { dateStyle: 'medium' });
  const text = distance < 60_000 ? `${Math.floor(distance / 1000)} s` : firstPart(formatDuration(distance));
  return ms > 0 ? `${text} ago` : `in ${text}`;
}

const firstPart = (duration: string) => duration.split(' ').slice(0, 2).join(' ');

export function formatInstant(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
}

/** `1,234`; `12.3K` and `4.5M` from 10,000. */
export function formatCount(count: number): string {
  if (count < 10_000) return exactly(count);
  return new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 }).format(count);
}

/** `12,345` */
export const exactly = (count: number) => count.toLocaleString('en-US');

/** `1 item`, `12,345 items`; with `formatCount`, where space is scarce, `12.3K items` */
export function counted(count: number, noun: string, format = exactly): string {
  return `${format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `3.2%`, `45%` */
export function formatShare(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

/** `512 B`, `3.4 kB`, `120 MB` */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const index = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** index;
  return `${value.toFixed(index === 0 || value >= 100 ? 0 : 1)} ${units[index]}`;
}

/**
 * A string, or its start and its length if it has more than `max` characters: browsers take seconds
 * to draw megabytes.
 */
export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${exactly(text.length)} characters)`;
}
