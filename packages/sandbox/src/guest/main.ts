import type * as Luxon from 'luxon';
import type { GuestScope } from '../protocol.ts';
import { type CodeRun, startCode as start } from './code.ts';
import { defineCodeGlobals } from './code-globals.ts';
import { defineDates, setClock, useLuxon as takeLuxon } from './dates.ts';
import { evaluateExpressions as evaluate } from './expressions.ts';
import { extensionNames } from './extensions.ts';
import { GuestData } from './guest-data.ts';
import { askHost, connectHost } from './host.ts';
import { installIntl } from './intl.ts';
import { parse, stringify } from './json.ts';
import { defineAll, defineLanguage } from './language.ts';
import { seedRandom } from './random.ts';
import { atob, btoa } from './text-encoding.ts';
import { installUrl } from './url.ts';
import { readOnce, Zones } from './zones.ts';

export { useBuffer } from './buffer.ts';
export { defineExpressions } from './expressions.ts';
export { useJmespath } from './jmespath.ts';

/*
 * The guest's side: these modules run inside QuickJS, not in Node. The host calls the exports. The
 * first exports contribute to the snapshots from which calls start; effects of the others are
 * undone after the call.
 */

const zones = new Zones(readOnce((query) => askHost({ offsets: query })));
const language = { data: new GuestData(), cursor: { itemIndex: 0 } };
let run: CodeRun;
/** Captured before user text runs. */
const GuestBuffer = ArrayBuffer;

/**
 * `askHost` is the host's only function: it takes a `HostQuery` and returns the reply, both as
 * JSON text.
 */
export function setUp(askHost: (request: string) => string): void {
  connectHost(askHost);
  installIntl(zones);
  installUrl();
  defineAll({ atob, btoa });
  defineLanguage(language);
  defineDates();
  defineCodeGlobals();
}

export function useLuxon(loaded: typeof Luxon): void {
  takeLuxon(loaded, zones);
}

/** Names of the extension methods of expressions, as a JSON list. */
export function methodNames(): string {
  return stringify(extensionNames());
}

/** Takes an `ExpressionRequest` and its leaves and returns an `ExpressionReply`. */
export function evaluateExpressions(requestText: string, leavesText: string): string {
  const request = parse(requestText);
  begin(request.scope);
  return evaluate(request, parse(leavesText), language);
}

/** Takes a `CodeRequest`. Its `CodeReply` is available when the runtime's jobs are done. */
export function startCode(requestText: string): void {
  const request = parse(requestText);
  begin(request.scope);
  run = start(request, language);
}

/** `undefined`: the code waits for a timer or for a promise that never resolves. */
export function takeCodeReply(): string | undefined {
  return run.reply;
}

/** Milliseconds until the code's next timer; `undefined` if no timer is set. */
export function untilTimer(): number | undefined {
  return run.untilTimer();
}

/** Runs the next timer of the code if it is due. */
export function fireTimer(): void {
  run.fireTimer();
}

/** The id of the file that the code waits for, if any. */
export function wantedFile(): string | undefined {
  return run.files.wanted();
}

/** Throws if there is not enough memory for a file's content. */
export function assertAllocatable(byteLength: number): void {
  new GuestBuffer(byteLength);
}

/**
 * Completes the read of the file that `wantedFile` names, with its content or with the reason why
 * it is unavailable.
 */
export function endRead(result: ArrayBuffer | string): void {
  run.files.end(result);
}

function begin({ timezone, nowMs, seed }: GuestScope): void {
  zones.timezone = timezone;
  seedRandom(seed);
  setClock(timezone, nowMs);
}
