export { InFlight, type InFlightEntry } from './in-flight.ts';
export { Watchdog, type WatchdogOptions } from './watchdog.ts';
