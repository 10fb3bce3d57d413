export { Watchdog } from './watchdog.ts';
