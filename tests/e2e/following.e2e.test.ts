import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { startApi, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { startNew } from './support/runs.ts';
import { callsInARow } from './support/workflows.ts';

const stopAfterAll = stopIn(afterAll);

const server = stopAfterAll(await LoopbackServer.start());
const service = stopAfterAll(await startService({ settings: { SSRF_ALLOW: '127.0.0.1' } }));
const { databaseUrl, redisUrl, home } = service;
const replica = stopAfterAll(await startApi({ SLUICE_HOME: home, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }));

interface FollowedEvents {
  /** Each event as its type and its node or status. */
  labels: string[];
  /** The id of each event. */
  ids: string[];
}

/** Collects the events of an execution until the stream ends. */
function follow(url: string, executionId: string, lastEventId?: string): FollowedEvents & { ended: Promise<void> } {
  const collected: FollowedEvents = { labels: [], ids: [] };
  const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
  const collect = async () => {
    const headers = { 'x-service-api-key': service.apiKey, ...resume };
    const response = await fetch(`${url}/api/v1/executions/${executionId}/events`, { headers });
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const blocks = `${text}${decoder.decode(chunk, { stream: true })}`.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) record(block, collected);
    }
  };
  return { ...collected, ended: collect() };
}

function record(block: string, { labels, ids }: FollowedEvents): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [event, id, data] = [field('event'), field('id'), field('data')];
  if (event === undefined || data === undefined) return;
  const { nodeName, status } = JSON.parse(data);
  labels.push(`${event} ${nodeName ?? status}`);
  ids.push(id ?? '');
}

const withoutStarts = (labels: readonly string[]) => labels.filter((event) => !event.startsWith('nodeStarted'));
const wholeRun = ['status running', 'nodeFinished Start', 'nodeFinished slow', 'nodeFinished next', 'status success'];

test('a client can follow a run at any API process, join while it runs, and resume after the last event', async () => {
  server.hold('/slow');
  const { executionId } = await startNew(service, callsInARow(server.url, ['/slow', '/next']));
  await eventually(() => server.waiting('/slow') === 1);
  const streams = [service.url, replica.url].map((url) => follow(url, executionId));
  // The node started before a client followed: the worker reports it to later clients.
  for (const { labels } of streams) await eventually(() => expect(labels).toContain('nodeStarted slow'));
  server.respond('/slow');
  for (const stream of streams) {
    await stream.ended;
    expect(withoutStarts(stream.labels)).toEqual(wholeRun);
    expect(stream.labels.indexOf('nodeStarted slow')).toBeLessThan(stream.labels.indexOf('nodeFinished slow'));
  }
  const [first] = streams;
  const resumed = follow(replica.url, executionId, first?.ids[first.labels.indexOf('nodeFinished Start')]);
  await resumed.ended;
  expect(withoutStarts(resumed.labels)).toEqual(wholeRun.slice(2));
});
