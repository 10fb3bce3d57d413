export { InvalidScheduleError } from './errors.ts';
export { lastTick, nextTick, type TickRange } from './next-tick.ts';
