import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import type { GuestPool } from './guest-pool.ts';
import type { GuestScopeBuilder } from './guest-scope-builder.ts';
import { maxRounds } from './limits.ts';
import type { GuestCall, GuestOutcome, GuestScope, NodeNeed } from './protocol.ts';

export interface GuestRounds {
  run: GuestCall['run'];
  image: GuestCall['image'];
  timeoutMs: number;
  builder: GuestScopeBuilder;
  /** The request around a scope. */
  requestFor(scope: GuestScope): unknown;
  signal: AbortSignal;
}

export type RoundsOutcome = { reply: JsonObject } | Extract<GuestOutcome, { failure: string }>;

/**
 * Calls the guest, and again with more data for as long as it asked for nodes that it had not been given: names may be computed.
 * Evaluation has no effects, so a repetition is harmless; all rounds share one deadline.
 */
export async function runGuestRounds(pool: GuestPool, rounds: GuestRounds): Promise<RoundsOutcome> {
  let remainingMs = rounds.timeoutMs;
  for (let round = 0; round < maxRounds && remainingMs > 0; round += 1) {
    const request = JSON.stringify(rounds.requestFor(rounds.builder.build()));
    const { outcome, durationMs } = await pool.run(
      { run: rounds.run, image: rounds.image, request, timeoutMs: remainingMs },
      rounds.signal,
    );
    if ('failure' in outcome) return outcome;
    const reply = parseReply(outcome.reply);
    if (!reply) return { failure: 'broken' };
    const needs = needsOf(reply['needs']);
    if (needs.length === 0) return { reply };
    rounds.builder.add(needs);
    remainingMs -= durationMs;
  }
  return { failure: 'timeout' };
}

function parseReply(text: string): JsonObject | undefined {
  try {
    const reply = JSON.parse(text) as JsonValue;
    return isJsonObject(reply) ? reply : undefined;
  } catch {
    return undefined;
  }
}

/** The nodes that the guest asked for; none when it asked for nothing sensible. */
function needsOf(value: JsonValue | undefined): NodeNeed[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((need) => {
    if (!isJsonObject(need) || typeof need['node'] !== 'string') return [];
    const { node, aspect } = need;
    return aspect === 'runs' || aspect === 'paired' || aspect === 'parameters' ? [{ node: node as string, aspect }] : [];
  });
}
