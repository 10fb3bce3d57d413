import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import type { WorkflowGraph } from '@sluice/domain';
import { isAlive } from '@sluice/embedded';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningService, type Settings, startService, startWorker } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { LoopbackServer } from './support/loopback-server.ts';
import { packageFolder } from './support/own-packages.ts';
import { createWorkflow, expectStatus, startNew, startRun, untilStatus } from './support/runs.ts';
import { aCall, callsInARow, trigger } from './support/workflows.ts';

/** Creates a marker file, then blocks the event loop for `ms` milliseconds or forever. */
const spin = `import { writeFileSync } from 'node:fs';
const spin = (ms, mark) => {
  if (mark) writeFileSync(mark, '');
  const until = performance.now() + ms;
  while (performance.now() < until);
};
const parameter = (name, type, value) => ({ displayName: name, name, type, default: value });
export default {
  description: {
    displayName: 'Spin', name: 'spin', group: ['transform'], version: 1, description: 'For tests', defaults: { name: 'Spin' },
    inputs: ['main'], outputs: ['main'], properties: [parameter('ms', 'number', 0), parameter('mark', 'string', '')],
  },
  execute(context) {
    const ms = context.parameter('ms', 0);
    spin(ms < 0 ? Infinity : ms, context.parameter('mark', 0));
    return [[...context.items()]];
  },
  methods: { loadOptions: { spin: async () => (spin(Infinity), []) } },
};`;

const stopAfterAll = stopIn(afterAll);
const stopAfterEach = stopIn(afterEach);
const marks = mkdtempSync(join(tmpdir(), 'spin-marks-'));
afterAll(() => rmSync(marks, { recursive: true, force: true }));
const { folder } = stopAfterAll(await packageFolder({ spins: { 'spin.js': spin } }));

const aSpin = (parameters: { ms?: number; mark?: string }) => aNode({ name: 'Spins', type: 'spins.spin', parameters });
const spinsForever = (mark: string): WorkflowGraph => aChain([trigger, aSpin({ ms: -1, mark })]);
const linesOf = ({ home }: RunningService, name: string) => readFileSync(join(home, 'logs', `${name}.log`), 'utf8').split('\n');

/** Waits for the log line that the watchdog writes when it kills the process. */
const untilKilled = (service: RunningService, name: string) =>
  eventually(() => {
    const line = linesOf(service, name).find((text) => text.includes('the event loop does not respond'));
    if (line === undefined) throw new Error(`${name} still runs`);
    return JSON.parse(line);
  });

describe('`sluice up` with a node that blocks the event loop', () => {
  const start = async (settings: Settings) =>
    stopAfterEach(await startService({ settings: { SLUICE_NODES_DIR: folder, ...settings } }));

  test('kills a worker that is silent for STALL_MS, names the node, and restarts it; the execution is `crashed`', async () => {
    const service = await start({ STALL_MS: '3000', LEASE_MS: '2000' });
    const before = service.pidOf('worker-1');

    const { workflowId, executionId } = await startNew(service, spinsForever(''));

    const line = await untilKilled(service, 'worker-1');
    expect(line).toMatchObject({
      level: 'fatal',
      name: 'worker',
      pid: before,
      executionId,
      workflowId,
      nodeName: 'Spins',
      inFlight: 1,
    });
    await untilStatus(service, executionId, 'crashed');
    expect(service.pidOf('worker-1')).not.toBe(before);
    expect(isAlive(before)).toBe(false);
    const next = await startNew(service, aChain([trigger, aSpin({ ms: 1 })]));
    await untilStatus(service, next.executionId, 'success');
    expect(linesOf(service, 'worker-1').filter((text) => text.includes('does not respond'))).toHaveLength(1);
  });

  test('kills an API that is silent for STALL_MS, names the request, and restarts it', async () => {
    const service = await start({ STALL_MS: '3000', WORKERS: '0' });
    const before = service.pidOf('api');
    const path = '/node-types/spins.spin/methods/loadOptions/spin';

    const lost = service.call('POST', path, {}).then(
      () => 'responded',
      () => 'lost',
    );

    const line = await untilKilled(service, 'api');
    expect(line).toMatchObject({ level: 'fatal', name: 'api', pid: before, method: 'POST', path: `/api/v1${path}` });
    expect(await lost).toBe('lost');
    await eventually(async () => (await service.call('GET', '/workflows')).status === 200);
    expect(isAlive(before)).toBe(false);
  });

  test('exits within its grace period on SIGTERM', async () => {
    const service = await start({ SHUTDOWN_GRACE_MS: '1000' });
    const pids = [service.pidOf('api'), service.pidOf('worker-1')];
    const mark = join(marks, 'terminated');
    await startNew(service, spinsForever(mark));
    await eventually(() => existsSync(mark));

    service.signal('SIGTERM');

    expect(await service.exited).toEqual({ code: 0, signal: null });
    expect(pids.filter(isAlive)).toEqual([]);
  });
});

test('a worker that is busy for longer than LEASE_MS but less than STALL_MS keeps its lease, and its executions succeed', async () => {
  const server = stopAfterEach(await LoopbackServer.start());
  const service = stopAfterEach(await startService({ settings: { SLUICE_NODES_DIR: folder, WORKERS: '0' } }));
  const worker = async () => {
    const urls = { DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
    const settings = { LEASE_MS: '2000', STALL_MS: '120000', SSRF_ALLOW: '127.0.0.1', SLUICE_NODES_DIR: folder };
    return stopAfterEach(await startWorker({ ...urls, ...settings }));
  };
  for (const path of ['/before', '/neighbor']) server.hold(path);
  const busy = await worker();
  const spins = await startNew(service, aChain([trigger, aCall('before', `${server.url}/before`), aSpin({ ms: 9_000 })]));
  const neighbor = await startNew(service, callsInARow(server.url, ['/neighbor']));
  await eventually(() => server.waiting('/before') === 1 && server.waiting('/neighbor') === 1);
  const other = await worker();
  const swept = await startRun(service, await createWorkflow(service, aChain([trigger])));
  await untilStatus(service, swept, 'success');

  server.respond('/before');
  await untilStatus(service, spins.executionId, 'success');
  server.respond('/neighbor');
  await untilStatus(service, neighbor.executionId, 'success');

  for (const { output } of [busy, other]) {
    expect(output()).not.toContain('executions of dead workers');
    expect(output()).not.toContain('the lease was lost');
  }
  expectStatus(await service.call('GET', '/workflows'), 200);
});
