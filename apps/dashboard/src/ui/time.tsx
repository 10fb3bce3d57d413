import { useEffect, useState } from 'react';
import { formatDuration, formatInstant, formatRelative } from './format.ts';

/** The current time, updated at this interval in milliseconds while `active`. */
export function useNow(everyMs = 1_000, active = true): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, active]);
  return now;
}

/** How long ago; the exact time at hover. */
export function Time({ at }: { at: string | null | undefined }) {
  const now = useNow(10_000);
  if (!at) return <span className="muted">–</span>;
  const time = Date.parse(at);
  return (
    <time dateTime={at} title={formatInstant(time)}>
      {formatRelative(time, now)}
    </time>
  );
}

/** From start to end; counts while there is no end. */
export function Duration({ from, to, live = false }: { from: string | null; to: string | null; live?: boolean }) {
  const now = useNow(1_000, live && to === null);
  if (from === null || (to === null && !live)) return <span className="muted">–</span>;
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  return <span>{formatDuration(Math.max(0, ms))}</span>;
}
