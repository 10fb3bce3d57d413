import { median, round } from './statistics.ts';

interface Row {
  name: string;
  figure: string;
  /** Figure of the same round by which this figure is divided. */
  per?: 'a' | 'b' | 'd';
  unit: '/s' | 'ms' | 'MB';
  atLeast?: number;
  atMost?: number;
}

/** The rows that `./dev bench` reports. The targets of rows with `per` are ratios. */
const rows: readonly Row[] = [
  { name: '(a) BullMQ jobs that do nothing', figure: 'a', unit: '/s' },
  { name: '(b) BullMQ jobs with one insert and one update', figure: 'b', unit: '/s' },
  { name: '(d) requests to bare Express', figure: 'd', unit: '/s' },
  { name: '(c) manual trigger → set', figure: 'c', per: 'b', unit: '/s', atLeast: 0.5 },
  { name: '– CPU time per execution', figure: 'cCpuMs', unit: 'ms' },
  { name: 'webhook → set', figure: 'set', per: 'b', unit: '/s', atLeast: 1.5 },
  { name: '– CPU time per execution, all processes', figure: 'setCpuMs', unit: 'ms', atMost: 0.4 },
  { name: 'webhook → 10 set nodes', figure: 'sets', per: 'b', unit: '/s', atLeast: 1 },
  { name: '– CPU time per execution', figure: 'setsCpuMs', unit: 'ms' },
  { name: 'webhook → code', figure: 'code', per: 'b', unit: '/s', atLeast: 0.5 },
  { name: '– CPU time per execution', figure: 'codeCpuMs', unit: 'ms' },
  { name: 'webhook → if → set → merge', figure: 'merge', per: 'b', unit: '/s', atLeast: 1.2 },
  { name: '– CPU time per execution', figure: 'mergeCpuMs', unit: 'ms' },
  { name: 'memory of the worker under this load', figure: 'workerMb', unit: 'MB', atMost: 250 },
  { name: 'webhooks accepted, worker suspended', figure: 'accepted', per: 'd', unit: '/s', atLeast: 0.35 },
  { name: 'stopMany of these queued executions', figure: 'stopManyMs', unit: 'ms', atMost: 1_000 },
  { name: 'GET /executions?limit=100', figure: 'executionLists', per: 'd', unit: '/s', atLeast: 0.35 },
  { name: 'GET /workflows?limit=100', figure: 'workflowLists', per: 'd', unit: '/s', atLeast: 0.2 },
  { name: 'last node, 1 connection, p50', figure: 'lastNodeP50Ms', unit: 'ms', atMost: 3.5 },
  { name: 'last node, 1 connection, p99', figure: 'lastNodeP99Ms', unit: 'ms', atMost: 9 },
  { name: 'last node, 10 connections, p99', figure: 'tenLastNodeP99Ms', unit: 'ms', atMost: 30 },
  { name: 'enqueue to start, idle, p50', figure: 'startP50Ms', unit: 'ms', atMost: 2 },
  { name: 'enqueue to start, idle, p99', figure: 'startP99Ms', unit: 'ms', atMost: 10 },
  { name: 'stop → canceled, p99', figure: 'canceledP99Ms', unit: 'ms', atMost: 30 },
  { name: 'stop → node aborted, p99', figure: 'abortedP99Ms', unit: 'ms', atMost: 150 },
  { name: 'call of a sub-workflow, one of 100 in a row', figure: 'callMs', unit: 'ms' },
  ...setNodes('plain path', 'plain', { 1: 6, 1000: 250 }),
  ...setNodes('method call in the host', 'hostCall', { 1: 20, 1000: 500 }),
  ...setNodes('method call in a guest', 'guestCall', { 1: 20, 1000: 500 }),
  ...setNodes('luxon call', 'luxon', { 1000: 2_500 }),
  { name: 'API, start to ready', figure: 'apiReadyMs', unit: 'ms', atMost: 1_500 },
  { name: 'API, idle memory', figure: 'apiIdleMb', unit: 'MB', atMost: 130 },
  { name: 'worker, start to ready', figure: 'workerReadyMs', unit: 'ms', atMost: 1_500 },
  { name: 'worker, idle memory', figure: 'workerIdleMb', unit: 'MB', atMost: 150 },
];

/** `targets` maps the number of items to milliseconds. */
function setNodes(name: string, expression: string, targets: Readonly<Record<number, number>>): Row[] {
  return Object.entries(targets).flatMap(([items, atMost]): Row[] => [
    {
      name: `100 set nodes, ${name}, ${items === '1' ? '1 item' : '1,000 items'}`,
      figure: `${expression}${items}Ms`,
      unit: 'ms',
      atMost,
    },
    { name: '– from start to end', figure: `${expression}${items}RunMs`, unit: 'ms' },
  ]);
}

/** A row with the median and the spread of all rounds. */
export interface Result extends Row {
  median: number;
  lowest: number;
  highest: number;
  /** The median before the division. */
  absolute?: number;
  /** Number of measured rounds; lower after a failure. */
  rounds: number;
  /** Missing if the row has no target. */
  reached?: boolean;
}

/**
 * Results of the measured rows. `rounds` contains the values of each figure in the order of the
 * rounds.
 */
export function toResults(rounds: ReadonlyMap<string, readonly number[]>): Result[] {
  return rows.flatMap((row) => {
    const values = rounds.get(row.figure);
    const ceilings = row.per && rounds.get(row.per);
    return values ? [toResult(row, values, ceilings)] : [];
  });
}

function toResult(row: Row, values: readonly number[], ceilings: readonly number[] | undefined): Result {
  const compared = ceilings ? values.map((value, i) => value / (ceilings[i] ?? Number.NaN)) : values;
  const middle = median(compared);
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = row;
  const hasTarget = row.atLeast !== undefined || row.atMost !== undefined;
  return {
    ...row,
    median: round(middle, 3),
    lowest: round(Math.min(...compared), 3),
    highest: round(Math.max(...compared), 3),
    rounds: values.length,
    ...(ceilings && { absolute: round(median(values), 0) }),
    ...(hasTarget && { reached: atLeast <= middle && middle <= atMost }),
  };
}

/** Formats the results as a Markdown table. */
export function toMarkdown(results: readonly Result[]): string {
  const header = ['', 'median', 'lowest, highest', 'target', 'reached'];
  const lines = [header, header.map(() => '---'), ...results.map(toCells)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function toCells({ name, per, unit, atLeast, atMost, absolute, reached, ...values }: Result): string[] {
  const ofCeiling = per ? ` of (${per})` : '';
  const suffix = per ? ofCeiling : unit === '/s' ? unit : ` ${unit}`;
  const limit = atLeast === undefined ? atMost : atLeast;
  return [
    name,
    `${toText(values.median)}${suffix}${absolute === undefined ? '' : ` (${toText(absolute)}${unit})`}`,
    `${toText(values.lowest)}, ${toText(values.highest)}`,
    limit === undefined ? '' : `${atLeast === undefined ? '≤' : '≥'} ${toText(limit)}${suffix}`,
    reached === undefined ? '' : reached ? 'yes' : 'no',
  ];
}

function toText(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
