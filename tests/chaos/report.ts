import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import type { ChaosOptions, ChaosOutcome } from './run.ts';

/** Maximum recovery time. */
const recoveryMs = 15_000;
/** Maximum number of examples per kind of finding. */
const maxExamples = 20;

export interface Report {
  seed: number;
  minutes: number;
  startsPerSecond: number;
  machine: {
    cores: number;
    loadAverage: number;
    /** Percentage of the last five minutes in which a task waited for a CPU; null if unknown. */
    cpuPressure: number | null;
  };
  accepted: number;
  /** Number of findings by kind. The service guarantees 0. */
  findings: Record<string, number>;
  /** Seconds. */
  longestRecovery: number;
  /** Seconds until every process was ready. */
  longestUntilReady: number;
  /** Executions by their status at the end. */
  statuses: Record<string, number>;
  effects: number;
  responses: number;
  /** Seconds. */
  slowestResponse: number;
  steps: ChaosOutcome['steps'];
  skipped: string[];
  /** Exits of processes that no fault caused. */
  unexpectedExits: string[];
  examples: Record<string, string[]>;
  passed: boolean;
}

export function reportOf({ seed, durationMs, rate }: ChaosOptions, outcome: ChaosOutcome): Report {
  const { ledger, steps } = outcome;
  const entries = Object.entries(outcome.findings);
  const longest = Math.max(0, ...steps.map(({ workedMs }) => workedMs));
  return {
    seed,
    minutes: durationMs / 60_000,
    startsPerSecond: rate,
    machine: { cores: cpus().length, loadAverage: round(loadavg()[1] ?? 0), cpuPressure: cpuPressure() },
    accepted: outcome.accepted,
    findings: Object.fromEntries(entries.map(([name, examples]) => [name, examples.length])),
    longestRecovery: round(longest / 1_000),
    longestUntilReady: round(Math.max(0, ...steps.map(({ readyMs }) => readyMs)) / 1_000),
    statuses: countBy([...outcome.stored.values()].map(({ status }) => status)),
    effects: outcome.effects,
    responses: ledger.responses,
    slowestResponse: round(ledger.slowestResponseMs / 1_000),
    steps,
    skipped: outcome.skipped,
    unexpectedExits: outcome.unexpectedExits,
    examples: Object.fromEntries(
      entries.filter(([, examples]) => examples.length > 0).map(([name, examples]) => [name, examples.slice(0, maxExamples)]),
    ),
    passed: entries.every(([, examples]) => examples.length === 0) && longest <= recoveryMs,
  };
}

/** The report as a table. */
export function tableOf(report: Report): string {
  const rows: [string, string | number][] = [
    ['accepted', report.accepted],
    ...Object.entries(report.findings),
    ['longest recovery', `${report.longestRecovery} s (at most ${recoveryMs / 1_000} s)`],
    ['longest until all processes were ready', `${report.longestUntilReady} s`],
    ['executions by status', list(report.statuses)],
    ['external effects', report.effects],
    ['responses; slowest', `${report.responses}; ${report.slowestResponse} s`],
    ['steps with faults', report.steps.length],
    [
      'load average of 5 minutes; CPU pressure',
      `${report.machine.loadAverage} on ${report.machine.cores} cores; ${report.machine.cpuPressure} %`,
    ],
    ['seed', report.seed],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const notes = [
    ...report.skipped.map((reason) => `skipped: ${reason}`),
    ...report.unexpectedExits,
    ...Object.entries(report.examples).flatMap(([name, examples]) => examples.map((example) => `${name}: ${example}`)),
  ];
  return [...lines, ...notes].join('\n');
}

function cpuPressure(): number | null {
  try {
    return Number(/^some .*avg300=([\d.]+)/.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]);
  } catch {
    return null;
  }
}

const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

const round = (value: number) => Math.round(value * 10) / 10;
