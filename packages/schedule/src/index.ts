export { lastTick, nextTick } from './next-tick.ts';
