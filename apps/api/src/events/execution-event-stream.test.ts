import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ExecutionProgress, FinishedNodeRun } from '@sluice/db';
import { type ExecutionStatus, UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import type { ServerSentEvent } from '../http/server-sent-event.ts';
import { ExecutionEventStream } from './execution-event-stream.ts';
import { ExecutionFeed } from './execution-feed.ts';

/** What Postgres would say. */
let stored: { status: ExecutionStatus; runs: FinishedNodeRun[]; away: boolean };
let reads: string[][];
let feed: ExecutionFeed;
let gone: AbortController;
let allowed: boolean;

beforeEach(() => {
  stored = { status: 'running', runs: [], away: false };
  reads = [];
  gone = new AbortController();
  allowed = true;
  const logger = createLogger({ name: 'test', level: 'silent' });
  feed = new ExecutionFeed({ progress: { read }, watch: { publish: async () => {} }, logger });
});
afterEach(() => feed.close());

async function read(ids: readonly string[]): Promise<(ExecutionProgress | undefined)[]> {
  reads.push([...ids]);
  if (stored.away) throw new UnavailableError('away');
  const { status } = stored;
  return ids.map((id) => ({ id, status, startedAt: null, stoppedAt: null, error: null }));
}

const aRun = (seq: number, nodeName = `N${seq}`, runIndex = 0): FinishedNodeRun => ({
  seq,
  nodeName,
  runIndex,
  executionStatus: 'success',
  startTime: 1,
  executionTime: 1,
});

/** Reads a stream to its end, in the background. */
function open(executionId = '1', position: { nodeRuns: number; status?: ExecutionStatus } = { nodeRuns: 0 }) {
  const told: string[] = [];
  const listFinished = async (_: string, seq: number, limit: number) =>
    stored.runs.filter((run) => run.seq >= seq).slice(0, limit);
  const isAllowed = async () => allowed;
  const stream = new ExecutionEventStream({
    feed,
    progress: { listFinished },
    executionId,
    position,
    signal: gone.signal,
    isAllowed,
  });
  const consume = async () => {
    for await (const event of stream.events()) told.push(describeEvent(event));
  };
  return { told, ended: consume() };
}

function describeEvent({ event, data }: ServerSentEvent): string {
  const { status, nodeName, runIndex } = data as { status?: string; nodeName?: string; runIndex?: number };
  return event === 'status' ? `${status}` : `${event} ${nodeName}#${runIndex}`;
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 10));

describe('a stream of events', () => {
  test('waits at a gap, which is a write under way, and tells all in order after it', async () => {
    stored.runs = [aRun(0), aRun(2)];
    const { told, ended } = open();
    await settle();
    expect(told).toEqual(['running', 'nodeFinished N0#0']);
    stored.runs = [aRun(0), aRun(1), aRun(2)];
    stored.status = 'success';
    feed.notify(['1']);
    await ended;
    expect(told.slice(2)).toEqual(['nodeFinished N1#0', 'nodeFinished N2#0', 'success']);
  });

  test('does not wait at a gap for ever: what has ended will not be filled', async () => {
    stored = { status: 'canceled', runs: [aRun(0), aRun(2)], away: false };
    const { told, ended } = open();
    await ended;
    expect(told).toEqual(['nodeFinished N0#0', 'nodeFinished N2#0', 'canceled']);
  });

  test('tells a run of any length, the terminal status last', async () => {
    stored = { status: 'success', runs: Array.from({ length: 450 }, (_, seq) => aRun(seq)), away: false };
    const { told, ended } = open();
    await ended;
    expect(told).toHaveLength(451);
    expect(told.at(-1)).toBe('success');
  });

  test('lasts while Postgres is away, and loses nothing', async () => {
    const { told, ended } = open();
    await settle();
    stored = { status: 'success', runs: [aRun(0)], away: true };
    feed.notify(['1']);
    await settle();
    expect(told).toEqual(['running']);
    stored.away = false;
    feed.notify(['1']);
    await ended;
    expect(told).toEqual(['running', 'nodeFinished N0#0', 'success']);
  });

  test('tells each start once, and none whose end has been told', async () => {
    stored.runs = [aRun(0, 'A', 0)];
    const { told } = open();
    await settle();
    const started = (nodeName: string, runIndex: number) =>
      feed.receive({ started: { executionId: '1', nodeName, runIndex, startTime: 1 } });
    started('A', 0);
    started('A', 1);
    started('A', 1);
    started('__proto__', 0);
    await settle();
    expect(told).toEqual(['running', 'nodeFinished A#0', 'nodeStarted A#1', 'nodeStarted __proto__#0']);
    gone.abort();
  });

  test('does not tell again what the position says', async () => {
    stored.runs = [aRun(0), aRun(1)];
    const { told } = open('1', { nodeRuns: 1, status: 'running' });
    await settle();
    expect(told).toEqual(['nodeFinished N1#0']);
    gone.abort();
  });

  test('ends when the client has gone, when the right to read is lost, and when the feed closes', async () => {
    const first = open();
    await settle();
    gone.abort();
    await first.ended;
    gone = new AbortController();
    const second = open();
    await settle();
    allowed = false;
    feed.notify(['1']);
    await second.ended;
    allowed = true;
    const third = open();
    await settle();
    feed.close();
    await third.ended;
  });

  test('reads together with others in one statement', async () => {
    const streams = Array.from({ length: 20 }, (_, i) => open(String(i)));
    await settle();
    expect(reads.length).toBeLessThan(4);
    gone.abort();
    await Promise.all(streams.map(({ ended }) => ended));
  });
});
