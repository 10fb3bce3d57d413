import type { HostQuery } from '../host/host-services.ts';
import { parse, stringify } from './json.ts';

type AskHost = (request: string) => string;

let ask: AskHost;

/** Call once, before anything else. */
export function connectHost(hostFunction: AskHost): void {
  ask = hostFunction;
}

/** The host's reply, or null. */
export function askHost<T>(query: HostQuery): T | null {
  return parse(ask(stringify(query)));
}
