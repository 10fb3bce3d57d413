import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { traceFields, tracing } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { startTracing } from '@sluice/telemetry/tracing';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { EventReceiver } from './support/event-receiver.ts';
import { Fleet } from './support/fleet.ts';
import { TraceCollector } from './support/trace-collector.ts';

let fleet: Fleet;
let collector: TraceCollector;
let receiver: EventReceiver;
const lines: Record<string, unknown>[] = [];
const logger = createLogger({
  name: 'test',
  level: 'info',
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
  context: traceFields,
});
beforeEach(async () => {
  collector = await new TraceCollector().listen();
  receiver = await new EventReceiver().listen();
  fleet = await Fleet.start({ SSRF_ALLOW: '127.0.0.1' });
  await fleet.serve({ logger });
  await fleet.work({ logger });
});
afterEach(async () => {
  await fleet.close();
  await collector.stop();
  await receiver.stop();
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller = '00f067aa0ba902b7';

async function run(): Promise<string> {
  const request = { method: 'POST', url: `${receiver.url}?token=s3cret`, sendBody: true, specifyBody: 'json', jsonBody: '{}' };
  const graph = aChain([
    aNode({ name: 'Start', type: 'base.manual-trigger' }),
    aNode({ name: 'Request', type: 'base.http-request', typeVersion: 4.2, parameters: request }),
    aNode({ name: 'Stop', type: 'base.stop-and-error', parameters: { errorMessage: 'a s3cret reason' } }),
  ]);
  const { body: workflow } = await fleet.call('POST', '/workflows', graph);
  const headers = { traceparent: `00-${traceId}-${caller}-01` };
  return (await fleet.call('POST', `/workflows/${workflow.id}/run`, {}, headers)).body.executionId;
}

test('a trace connects the request, the job, each node, and each outgoing request', async () => {
  const traces = startTracing({ service: 'test', url: collector.url, ratio: 1 });
  const executionId = await run();
  await eventually(() => expect(collector.named('POST /workflows/:id/run')).toHaveLength(1));
  await traces.close();

  const spanOf = (name: string) => collector.named(name).find((span) => span.traceId === traceId);
  const server = spanOf('POST /workflows/:id/run');
  const execution = spanOf('execution');
  const node = spanOf('node http-request');
  const stop = spanOf('node stop-and-error');
  const client = spanOf('POST');
  expect(server?.parentSpanId).toBe(caller);
  expect(execution).toMatchObject({
    parentSpanId: server?.spanId,
    attributes: { 'sluice.execution.id': executionId, 'sluice.execution.result': 'error', 'error.type': expect.any(String) },
  });
  expect(node).toMatchObject({ parentSpanId: execution?.spanId, attributes: { 'sluice.node.name': 'Request' } });
  expect(stop).toMatchObject({ parentSpanId: execution?.spanId, status: { code: 2 } });
  expect(client).toMatchObject({ parentSpanId: node?.spanId, attributes: { 'http.response.status_code': 200 } });
  expect(receiver.received[0]?.headers['traceparent']).toBe(`00-${traceId}-${client?.spanId}-01`);
  expect(JSON.stringify(collector.spans)).not.toContain('s3cret');

  const lineOf = (msg: string) => lines.findLast((line) => line['msg'] === msg && line['traceId'] === traceId);
  expect(lineOf('execution ended')).toMatchObject({ executionId, spanId: execution?.spanId });
  expect(lineOf('request completed')).toMatchObject({ spanId: server?.spanId });
});

test('while tracing is off, nothing is traced and no request has a trace header', async () => {
  lines.length = 0;
  await run();
  expect(tracing.tracer).toBeUndefined();
  expect(receiver.received[0]?.headers['traceparent']).toBeUndefined();
  expect(collector.spans).toEqual([]);
  expect(lines.filter((line) => 'traceId' in line)).toEqual([]);
});
