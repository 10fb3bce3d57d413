import type * as Luxon from 'luxon';
import type { GuestScope } from '../protocol.ts';
import { type CodeRun, startCode as start } from './code.ts';
import { adaptLuxon, defineDates } from './dates.ts';
import { evaluateExpressions as evaluate } from './expressions.ts';
import { installIntl } from './intl.ts';
import { parse } from './json.ts';
import { seedRandom } from './random.ts';
import { Zones } from './zones.ts';

/*
 * The guest's side: these modules run inside QuickJS, not in Node. The host calls the exports. The first two belong to the
 * snapshots that calls start from; what the others leave behind is undone after the call.
 */

let zones: Zones;
let luxon: typeof Luxon | undefined;
let run: CodeRun;

/** `askZones` is the host's one function: `HostZonesQuery` in, its answer out, both as JSON text. */
export function setUp(askZones: (request: string) => string): void {
  zones = new Zones(askZones);
  installIntl(zones);
}

export function useLuxon(loaded: typeof Luxon): void {
  luxon = loaded;
  adaptLuxon(luxon, zones);
}

/** Takes an `ExpressionRequest`, gives an `ExpressionReply`. */
export function evaluateExpressions(requestText: string): string {
  const request = parse(requestText);
  begin(request.scope);
  return evaluate(request);
}

/** Takes a `CodeRequest`. Its `CodeReply` can be taken when the jobs of the runtime are done. */
export function startCode(requestText: string): void {
  const request = parse(requestText);
  begin(request.scope);
  run = start(request);
}

/** `undefined`: the code waits for a promise that no job resolves any more. */
export function takeCodeReply(): string | undefined {
  return run.reply;
}

function begin({ timezone, nowMs, seed }: GuestScope): void {
  zones.timezone = timezone;
  seedRandom(seed);
  if (luxon) defineDates(luxon, timezone, nowMs);
}
