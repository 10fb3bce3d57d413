import { Zones } from '../guest/zones.ts';
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
  const zones = new Zones(offsetsOfYear);
  const nowOffset = zones.offset(zone, nowMs);
  const midnight = Math.floor((nowMs + nowOffset * minuteMs) / dayMs) * dayMs;
  const todayOffset = zones.offset(zone, midnight - nowOffset * minuteMs);
  return { nowMs, nowOffset, todayMs: midnight - todayOffset * minuteMs, todayOffset };
}
