import { offsetsOfYear } from '../host/host-zones.ts';

/** Times in milliseconds since the epoch, offsets from UTC in minutes. */
interface PythonClock {
  nowMs: number;
  nowOffset: number;
  /** The most recent midnight in the zone. */
  todayMs: number;
  todayOffset: number;
}

const dayMs = 86_400_000;
const minuteMs = 60_000;

export function pythonClock(nowMs: number, zone: string): PythonClock {
  const nowOffset = offsetAt(zone, nowMs);
  const midnight = Math.floor((nowMs + nowOffset * minuteMs) / dayMs) * dayMs;
  const todayOffset = offsetAt(zone, midnight - nowOffset * minuteMs);
  return { nowMs, nowOffset, todayMs: midnight - todayOffset * minuteMs, todayOffset };
}

function offsetAt(zone: string, ms: number): number {
  const offsets = offsetsOfYear({ zone, year: new Date(ms).getUTCFullYear() });
  return offsets.findLast(([fromMs]) => fromMs <= ms)?.[1] ?? 0;
}
