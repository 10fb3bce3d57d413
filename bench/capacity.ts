import { round } from './statistics.ts';

/*
 * Simulates how many cores each part of an installation needs for webhook → set, with the CPU times
 * from `bench:throughput` and docs/scaling.md. Requests arrive at random (Poisson). Each passes the
 * API, Postgres (insert), Redis, a worker, and Postgres again (claim and final write). Each part is
 * a queue with several servers (its cores) and exponentially distributed service times. Prints the
 * utilization and the time from the request to the end of the execution.
 *
 *     node bench/capacity.ts [executions per second] [API cores] [Postgres cores] [worker cores]
 */

/** CPU milliseconds per execution. */
const costs = { api: 0.24, insert: 0.11, redis: 0.045, worker: 0.19, finish: 0.17 } as const;
const simulatedSeconds = 2;

class Part {
  /** When each core is free again, in milliseconds. */
  readonly #freeAt: number[];
  #busyMs = 0;

  constructor(cores: number) {
    this.#freeAt = new Array(cores).fill(0);
  }

  /** Serves a request that arrives at `at`; returns the time at which it is done. */
  serve(at: number, meanMs: number): number {
    const core = this.#freeAt.indexOf(Math.min(...this.#freeAt));
    const ms = -Math.log(1 - Math.random()) * meanMs;
    const done = Math.max(at, this.#freeAt[core] as number) + ms;
    this.#freeAt[core] = done;
    this.#busyMs += ms;
    return done;
  }

  utilization(ms: number): number {
    return round(this.#busyMs / ms / this.#freeAt.length);
  }
}

interface Cores {
  api: number;
  postgres: number;
  worker: number;
}

interface Event {
  at: number;
  stage: number;
  startedAt: number;
}

function simulate(rate: number, cores: Cores): object {
  const parts = {
    api: new Part(cores.api),
    postgres: new Part(cores.postgres),
    redis: new Part(1),
    worker: new Part(cores.worker),
  };
  const stages: [part: Part, ms: number][] = [
    [parts.api, costs.api],
    [parts.postgres, costs.insert],
    [parts.redis, costs.redis],
    [parts.worker, costs.worker],
    [parts.postgres, costs.finish],
  ];
  const events = arrivals(rate);
  const durations: number[] = [];
  // Events are processed in time order, in slots of one millisecond, because Postgres serves two
  // stages.
  const slots = new Map<number, Event[]>();
  const put = (event: Event) => {
    const slot = Math.floor(event.at);
    const others = slots.get(slot) ?? [];
    others.push(event);
    slots.set(slot, others);
  };
  for (const event of events) put(event);
  for (let slot = 0; slots.size > 0; slot += 1) {
    for (let due = slots.get(slot); due; due = slots.get(slot)) {
      slots.delete(slot);
      for (const event of due.sort((a, b) => a.at - b.at)) {
        const [part, ms] = stages[event.stage] as [Part, number];
        const at = part.serve(event.at, ms);
        if (event.stage + 1 < stages.length) put({ ...event, at, stage: event.stage + 1 });
        else durations.push(at - event.startedAt);
      }
    }
  }
  durations.sort((a, b) => a - b);
  const ms = simulatedSeconds * 1_000;
  const utilization = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.utilization(ms)]));
  const at = (share: number) => round(durations[Math.floor(durations.length * share)] ?? 0);
  return { rate, cores: { ...cores, redis: 1 }, utilization, msToEnd: { p50: at(0.5), p99: at(0.99) } };
}

function arrivals(rate: number): Event[] {
  const events: Event[] = [];
  for (let at = 0; at < simulatedSeconds * 1_000; at += (-Math.log(1 - Math.random()) / rate) * 1_000)
    events.push({ at, startedAt: at, stage: 0 });
  return events;
}

const [rate, api = 1, postgres = 1, worker = 1] = process.argv.slice(2).map(Number);
const runs: [number, Cores][] = rate
  ? [[rate, { api, postgres, worker }]]
  : [
      [1_000, { api: 1, postgres: 1, worker: 1 }],
      [10_000, { api: 4, postgres: 4, worker: 3 }],
      [20_000, { api: 7, postgres: 8, worker: 6 }],
      [100_000, { api: 34, postgres: 40, worker: 28 }],
    ];
for (const [perSecond, cores] of runs) process.stdout.write(`${JSON.stringify(simulate(perSecond, cores))}\n`);
