import { afterAll, expect, test } from '@jest/globals';
import { eventually } from '@sluice/test-support';
import { startApi, startService } from './harness.ts';
import { endedBy } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { startNew } from './support/runs.ts';
import { callsInARow } from './support/workflows.ts';

const ended = endedBy(afterAll);

const server = ended(await LoopbackServer.start());
const service = ended(await startService({ settings: { SSRF_ALLOW: '127.0.0.1' } }));
const { databaseUrl, redisUrl, home } = service;
const replica = ended(await startApi({ SLUICE_HOME: home, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl }));

interface FollowedEvents {
  /** Each event as its kind and subject. */
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
      for (const block of blocks) note(block, collected);
    }
  };
  return { ...collected, ended: collect() };
}

function note(block: string, { labels, ids }: FollowedEvents): void {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  const [event, id, data] = [field('event'), field('id'), field('data')];
  if (event === undefined || data === undefined) return;
  const { nodeName, status } = JSON.parse(data);
  labels.push(`${event} ${nodeName ?? status}`);
  ids.push(id ?? '');
}

const certain = (labels: readonly string[]) => labels.filter((event) => !event.startsWith('nodeStarted'));
const allOfIt = ['status running', 'nodeFinished Start', 'nodeFinished slow', 'nodeFinished next', 'status success'];

test('a run can be followed at every API process, from its middle, node by node, to its end', async () => {
  server.hold('/slow');
  const { executionId } = await startNew(service, callsInARow(server.url, ['/slow', '/next']));
  await eventually(() => server.waiting('/slow') === 1);
  const streams = [service.url, replica.url].map((url) => follow(url, executionId));
  // The node started before any follower: the worker reports it to later ones.
  for (const { labels } of streams) await eventually(() => expect(labels).toContain('nodeStarted slow'));
  server.respond('/slow');
  for (const stream of streams) {
    await stream.ended;
    expect(certain(stream.labels)).toEqual(allOfIt);
    expect(stream.labels.indexOf('nodeStarted slow')).toBeLessThan(stream.labels.indexOf('nodeFinished slow'));
  }
  const [first] = streams;
  const resumed = follow(replica.url, executionId, first?.ids[first.labels.indexOf('nodeFinished Start')]);
  await resumed.ended;
  expect(certain(resumed.labels)).toEqual(allOfIt.slice(2));
});
