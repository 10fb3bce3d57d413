import {
  excessOf,
  isJsonObject,
  type JsonObject,
  JsonTooLongError,
  type JsonValue,
  maxDataContainers,
  parseJson,
  stringifyJson,
  TimeSlice,
  TooManyMembersError,
} from '@sluice/domain';
import { maxNeeds, maxRounds } from '../limits.ts';
import type { FileReader, GuestCall, GuestFailure, GuestImage, GuestLeaf, GuestScope, Need, NodeNeed } from '../protocol.ts';
import type { GuestScopeBuilder } from '../scope/guest-scope-builder.ts';
import type { CallOrigin } from '../thread-limits.ts';
import type { TimedOutcome } from './guest-thread-handle.ts';

/** Runs one call in a guest without state from earlier calls. */
export interface GuestCaller {
  /** Maximum length of a request, in characters. */
  readonly maxRequestLength: number;
  /** `readFile`: reads files for the guest while it runs. */
  run(
    call: GuestCall,
    origin: CallOrigin,
    signal: AbortSignal,
    readFile?: FileReader,
  ): Promise<Pick<TimedOutcome, 'outcome' | 'durationMs'>>;
}

export interface GuestRounds {
  run: GuestCall['run'];
  image: GuestImage;
  /** The leaves that `expressions` evaluates. */
  leaves?: readonly GuestLeaf[];
  timeoutMs: number;
  origin: CallOrigin;
  builder: GuestScopeBuilder;
  /** Builds the request for a scope. */
  requestFor(scope: GuestScope): unknown;
  readFile?: FileReader | undefined;
  signal: AbortSignal;
}

type RoundsOutcome = { reply: JsonObject } | { failure: GuestFailure };

/**
 * Calls the guest. Large requests and replies are written and read in time slices. Repeats the call
 * with more data while the guest requests missing nodes or libraries, because names may be
 * computed. Evaluation has no effects, so repetition is harmless. All rounds share one deadline.
 */
export async function runGuestRounds(caller: GuestCaller, rounds: GuestRounds): Promise<RoundsOutcome> {
  const { run, leaves = [], origin, builder, signal } = rounds;
  let { image, timeoutMs } = rounds;
  await builder.start();
  for (let round = 0; round < maxRounds && timeoutMs > 0; round += 1) {
    const request = await requestText(rounds.requestFor(builder.build()), caller.maxRequestLength, signal);
    if (request === undefined) return { failure: 'memory' };
    const { outcome, durationMs } = await caller.run(
      { run, image, request, leaves, timeoutMs },
      origin,
      signal,
      rounds.readFile,
    );
    if ('failure' in outcome) return outcome;
    const reply = await parseReply(outcome.reply, signal);
    if (typeof reply === 'string') return { failure: reply };
    const needs = await needsOf(reply['needs']);
    if (needs.length === 0) return { reply };
    await builder.add(needs.filter((need) => 'node' in need));
    image = largest([image, ...needs.flatMap((need) => ('image' in need ? [need.image] : []))]);
    timeoutMs -= durationMs;
  }
  return { failure: 'timeout' };
}

/** `undefined` if the guest would reject the request; it is then not written to its end. */
async function requestText(request: unknown, maxLength: number, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await stringifyJson(request, { signal, maxLength });
  } catch (error) {
    if (error instanceof JsonTooLongError) return undefined;
    throw error;
  }
}

const images: readonly GuestImage[] = ['plain', 'luxon', 'full'];

function largest(wanted: readonly GuestImage[]): GuestImage {
  return images.findLast((image) => wanted.includes(image)) ?? 'plain';
}

/** The reply, or the reason why it is unusable. Rejects with the signal's reason. */
async function parseReply(text: string, signal: AbortSignal): Promise<JsonObject | 'output' | 'broken'> {
  try {
    // Fewer characters cannot contain that many. The guest has checked the depth.
    if (text.length > 2 * maxDataContainers && (await excessOf(text, Number.POSITIVE_INFINITY, maxDataContainers)))
      return 'output';
    const reply = (await parseJson(text, signal)) as JsonValue;
    return isJsonObject(reply) ? reply : 'broken';
  } catch (error) {
    signal.throwIfAborted();
    return error instanceof TooManyMembersError ? 'output' : 'broken';
  }
}

/**
 * The valid needs in the guest's reply, each once: code that catches the error may request the same
 * data any number of times.
 */
async function needsOf(value: JsonValue | undefined): Promise<Need[]> {
  const needs = new Map<string, Need>();
  const slice = new TimeSlice();
  for (const entry of Array.isArray(value) ? value : []) {
    const need = toNeed(entry);
    if (need) needs.set(JSON.stringify(need), need);
    if (needs.size === maxNeeds) break;
    if (slice.isOver) await slice.next();
  }
  return [...needs.values()];
}

const aspects: readonly NodeNeed['aspect'][] = ['runs', 'paired', 'allPaired', 'parameters', 'context'];

function toNeed(value: JsonValue): Need | undefined {
  if (!isJsonObject(value)) return undefined;
  const image = images.find((candidate) => candidate === value['image']);
  if (image) return { image };
  const aspect = aspects.find((candidate) => candidate === value['aspect']);
  return aspect && typeof value['node'] === 'string' ? { node: value['node'], aspect } : undefined;
}
