import { type Random, seededRandom } from '../e2e/support/seeded-random.ts';

/** Kinds of faults and their maximum duration in milliseconds; 0 for instantaneous faults. */
export const faultKinds = {
  'kill a worker': 0,
  'freeze a worker': 12_000,
  'stop a worker': 0,
  'kill an API': 0,
  'freeze an API': 8_000,
  'stop an API': 0,
  'flush Redis': 0,
  'freeze Redis': 6_000,
  'kill Redis': 4_000,
  'repeat jobs': 4_000,
  'fill the memory of Redis': 4_000,
  'freeze Postgres': 6_000,
  'kill Postgres': 4_000,
  'kill a backend of Postgres': 0,
  'make Postgres read-only': 4_000,
  'lock the executions': 6_000,
  'cut the connections to Postgres': 0,
  'cut the connections to Redis': 0,
  'half-open connections to Postgres': 0,
  'half-open connections to Redis': 0,
  'partition from Postgres': 6_000,
  'partition from Redis': 6_000,
  'fill the disk of Postgres': 5_000,
  'fail over to a standby of Postgres': 3_000,
  'skew the clock of a worker': 0,
  'skew the clock of an API': 0,
} as const;

export type FaultKind = keyof typeof faultKinds;

export interface Fault {
  kind: FaultKind;
  /** Selects one of several processes, modulo their number. */
  target: number;
  /** Milliseconds. */
  durationMs: number;
  /** Milliseconds after the first fault of its step. */
  delayMs: number;
  /** Seconds by which a skewed clock is ahead; negative if it is behind. */
  skewSeconds: number;
}

/** One fault, or several that overlap. The next step starts once the service has recovered. */
export interface Step {
  /** Milliseconds without faults before the step. */
  pauseMs: number;
  faults: Fault[];
}

/**
 * An endless sequence of steps: each kind once in random order, then again in another order. One
 * step in four has two faults.
 */
export function* planOf(seed: number): Generator<Step, never> {
  const random = seededRandom(seed);
  const kinds = endlesslyShuffled(Object.keys(faultKinds) as FaultKind[], random);
  for (;;) {
    const pauseMs = between(1_000, 5_000, random);
    const faults = [aFault(kinds.next().value, 0, random)];
    if (random() < 0.25) faults.push(aFault(kinds.next().value, between(0, 1_500, random), random));
    yield { pauseMs, faults };
  }
}

function aFault(kind: FaultKind, delayMs: number, random: Random): Fault {
  const longestMs = faultKinds[kind];
  const durationMs = longestMs === 0 ? 0 : between(1_000, longestMs, random);
  return { kind, target: between(0, 1_000, random), durationMs, delayMs, skewSeconds: between(-3_600, 3_600, random) };
}

function* endlesslyShuffled<T>(values: readonly T[], random: Random): Generator<T, never> {
  for (;;) {
    const remaining = [...values];
    while (remaining.length > 0) yield remaining.splice(Math.floor(random() * remaining.length), 1)[0] as T;
  }
}

const between = (least: number, most: number, random: Random) => Math.round(least + random() * (most - least));

/** One line about a fault. */
export function describeFault({ kind, target, durationMs, skewSeconds }: Fault): string {
  const details = [
    ...(/\ba(n API| worker)\b/.test(kind) ? [`#${target}`] : []),
    ...(durationMs > 0 ? [`${(durationMs / 1_000).toFixed(1)} s`] : []),
    ...(kind.startsWith('skew') ? [`${skewSeconds} s`] : []),
  ];
  return details.length === 0 ? kind : `${kind} (${details.join(', ')})`;
}
