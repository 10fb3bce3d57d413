import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ExecutionProgress, FinishedNodeRun } from '@sluice/db';
import { type ExecutionStatus, UnavailableError } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import type { ServerSentEvent } from '../http/response/server-sent-events.ts';
import { ExecutionEventStream } from './execution-event-stream.ts';
import { ExecutionFeed } from './execution-feed.ts';
import { parsePosition, type StreamPosition } from './stream-position.ts';

/** The state of the fake Postgres. */
let stored: { status: ExecutionStatus; runs: FinishedNodeRun[]; away: boolean };
let reads: string[][];
let feed: ExecutionFeed;
let disconnected: AbortController;
let allowed: boolean;

beforeEach(() => {
  stored = { status: 'running', runs: [], away: false };
  reads = [];
  disconnected = new AbortController();
  allowed = true;
  const logger = createLogger({ name: 'test', level: 'silent' });
  feed = new ExecutionFeed({ executionProgress: { read }, watch: { publish: async () => {} }, logger });
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
/** The two events of a node run. */
const eventsOf = (name: string) => [`nodeStarted ${name}`, `nodeFinished ${name}`];

/** Reads a stream to its end in the background. */
function open(executionId = '1', position: StreamPosition = { nodeRuns: 0, started: false }) {
  const sent: string[] = [];
  const ids: (string | undefined)[] = [];
  const listFinished = async (_: string, seq: number, limit: number) =>
    stored.runs.filter((run) => run.seq >= seq).slice(0, limit);
  const isAllowed = async () => allowed;
  const stream = new ExecutionEventStream({
    feed,
    executionProgress: { listFinished },
    executionId,
    userId: 'u',
    position,
    signal: disconnected.signal,
    isAllowed,
  });
  const consume = async () => {
    for await (const event of stream.events()) {
      sent.push(describeEvent(event));
      ids.push(event.id);
    }
  };
  return { sent, ids, ended: consume() };
}

function describeEvent({ event, data }: ServerSentEvent): string {
  const { status, nodeName, runIndex } = data as { status?: string; nodeName?: string; runIndex?: number };
  return event === 'status' ? `${status}` : `${event} ${nodeName}#${runIndex}`;
}

/**
 * Waits enough event loop turns for a stream to send all available events. A timer could fire too
 * early.
 */
async function settle(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await nextTurn();
}

describe('a stream of events', () => {
  test('waits at a gap until the write in flight commits, then sends all events in order', async () => {
    stored.runs = [aRun(0), aRun(2)];
    const stream = open();
    await settle();
    expect(stream.sent).toEqual(['running', ...eventsOf('N0#0')]);
    stored.runs = [aRun(0), aRun(1), aRun(2)];
    stored.status = 'success';
    feed.notify(['1']);
    await stream.ended;
    expect(stream.sent.slice(3)).toEqual([...eventsOf('N1#0'), ...eventsOf('N2#0'), 'success']);
  });

  test('does not wait at a gap after the execution has ended', async () => {
    stored = { status: 'canceled', runs: [aRun(0), aRun(2)], away: false };
    const stream = open();
    await stream.ended;
    expect(stream.sent).toEqual([...eventsOf('N0#0'), ...eventsOf('N2#0'), 'canceled']);
  });

  test('sends all events of a long run, the terminal status last', async () => {
    stored = { status: 'success', runs: Array.from({ length: 450 }, (_, seq) => aRun(seq)), away: false };
    const stream = open();
    await stream.ended;
    expect(stream.sent).toHaveLength(901);
    expect(stream.sent.at(-1)).toBe('success');
  });

  test('survives a Postgres outage without losing events', async () => {
    const stream = open();
    await settle();
    stored = { status: 'success', runs: [aRun(0)], away: true };
    feed.notify(['1']);
    await settle();
    expect(stream.sent).toEqual(['running']);
    stored.away = false;
    feed.notify(['1']);
    await stream.ended;
    expect(stream.sent).toEqual(['running', ...eventsOf('N0#0'), 'success']);
  });

  const start = (seq: number, nodeName = `N${seq}`, runIndex = 0) =>
    feed.receive({ started: { executionId: '1', nodeName, runIndex, seq, startTime: 1 } });

  test('sends each start once, and no start after its end', async () => {
    stored.runs = [aRun(0, 'A', 0)];
    const stream = open();
    await settle();
    for (const repeated of [0, 1, 1]) start(repeated, 'A', repeated);
    await settle();
    expect(stream.sent).toEqual(['running', ...eventsOf('A#0'), 'nodeStarted A#1']);
    disconnected.abort();
  });

  test('sends the overlapping starts of sub-nodes within the run of their node, each once', async () => {
    stored.runs = [aRun(0, 'T')];
    const stream = open();
    await settle();
    start(1, 'Agent');
    start(1, 'Tool', 0);
    start(1, 'Tool', 1);
    await settle();
    stored.runs.push(aRun(1, 'Tool', 1));
    feed.notify(['1']);
    await settle();
    start(1, 'Tool', 0);
    start(2, 'Model');
    await settle();
    stored.runs.push(aRun(2, 'Tool', 0), aRun(3, 'Model'), aRun(4, 'Agent'));
    stored.status = 'success';
    feed.notify(['1']);
    await stream.ended;
    expect(stream.sent.slice(3)).toEqual([
      ...['Agent#0', 'Tool#0', 'Tool#1'].map((name) => `nodeStarted ${name}`),
      'nodeFinished Tool#1',
      'nodeStarted Model#0',
      ...['Tool#0', 'Model#0', 'Agent#0'].map((name) => `nodeFinished ${name}`),
      'success',
    ]);
  });

  test('sends a start after all earlier ends, even if Redis delivers it sooner', async () => {
    const stream = open();
    await settle();
    start(0, '__proto__');
    await settle();
    start(1);
    await settle();
    expect(stream.sent).toEqual(['running', 'nodeStarted __proto__#0']);
    stored.runs = [aRun(0, '__proto__')];
    feed.notify(['1']);
    await settle();
    expect(stream.sent.slice(2)).toEqual(['nodeFinished __proto__#0', 'nodeStarted N1#0']);
    disconnected.abort();
  });

  test('sends the start of a stopped node run, but no start after a lost event', async () => {
    stored.runs = [aRun(0)];
    const [running, lost] = [open('1'), open('2')];
    await settle();
    stored.status = 'canceled';
    start(1);
    feed.receive({ started: { executionId: '2', nodeName: 'N2', runIndex: 0, seq: 2, startTime: 1 } });
    await Promise.all([running.ended, lost.ended]);
    expect(running.sent.slice(3)).toEqual(['nodeStarted N1#0', 'canceled']);
    expect(lost.sent.slice(3)).toEqual(['canceled']);
  });

  test('resumes after a start without repeating it', async () => {
    const stream = open();
    await settle();
    start(0);
    await settle();
    const again = open('1', parsePosition(stream.ids.at(-1)));
    await settle();
    start(0);
    stored.runs = [aRun(0), aRun(1)];
    feed.notify(['1']);
    await settle();
    expect(again.sent).toEqual(['nodeFinished N0#0', ...eventsOf('N1#0')]);
    disconnected.abort();
  });

  test('does not repeat events before its position', async () => {
    stored.runs = [aRun(0), aRun(1)];
    const stream = open('1', { nodeRuns: 1, started: false, status: 'running' });
    await settle();
    expect(stream.sent).toEqual(eventsOf('N1#0'));
    disconnected.abort();
  });

  test('ends when the client disconnects or loses access, or the feed closes', async () => {
    const first = open();
    await settle();
    disconnected.abort();
    await first.ended;
    disconnected = new AbortController();
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

  test('rechecks read access as soon as the rights of its user change', async () => {
    const { ended } = open();
    await settle();
    allowed = false;
    feed.accessChanged(['somebody else']);
    await settle();
    const state = await Promise.race([ended.then(() => 'ended'), settle().then(() => 'open')]);
    feed.accessChanged(['u']);
    await ended;
    expect(state).toBe('open');
  });

  test('shares its statements with concurrent streams', async () => {
    const streams = Array.from({ length: 20 }, (_, i) => open(String(i)));
    await settle();
    expect(reads.length).toBeLessThan(4);
    disconnected.abort();
    await Promise.all(streams.map(({ ended }) => ended));
  });
});
