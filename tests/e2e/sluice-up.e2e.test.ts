import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { findFreePort, isAlive } from '@sluice/embedded';
import { aSmallWorkflow, eventually } from '@sluice/test-support';
import { newHome, type RunningService, type Settings, startProcess, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { createWorkflow } from './support/runs.ts';

const stopAfterEach = stopIn(afterEach);
const start = async (options: { home?: string; settings?: Settings } = {}) => stopAfterEach(await startService(options));

const postgresPid = ({ home }: RunningService) =>
  Number.parseInt(readFileSync(join(home, 'postgres', 'postmaster.pid'), 'utf8'), 10);

test('starts in an empty home, and one SIGTERM to the parent stops everything cleanly', async () => {
  const service = await start({ home: await newHome() });
  const pids = [service.pidOf('api'), service.pidOf('worker-1'), postgresPid(service)];

  service.signal('SIGTERM');

  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(pids.filter(isAlive)).toEqual([]);
});

test('with PORT=0, the sign-in link leads to the port that was chosen', async () => {
  const { output } = await start({ settings: { PORT: '0' } });
  const [link, api] = [/Open {2}(.+)\/sign-in/, /API {3}(.+)\/api/].map((pattern) => pattern.exec(output())?.[1]);
  expect(link).toMatch(/:[1-9]\d+$/);
  expect(link).toBe(api);
});

test('data survives kill -9 of the parent and a restart', async () => {
  const first = await start();
  const id = await createWorkflow(first, aSmallWorkflow());
  const leftovers = [first.pidOf('api'), first.pidOf('worker-1')];
  await first.kill();

  const { home } = first;
  const port = new URL(first.url).port;
  const second = await start({ home, settings: { PORT: port, BOOTSTRAP_API_KEY: first.apiKey } });

  expect((await second.call('GET', `/workflows/${id}`)).status).toBe(200);
  expect(leftovers.filter(isAlive)).toEqual([]);

  second.signal('SIGTERM');
  expect(await second.exited).toEqual({ code: 0, signal: null });
});

test('two instances can run side by side, but not in the same home', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const id = await createWorkflow(one, aSmallWorkflow());

  expect((await other.call('GET', `/workflows/${id}`)).status).not.toBe(200);

  const port = String(await findFreePort());
  const refused = startProcess('up', `http://127.0.0.1:${port}`, { SLUICE_HOME: one.home, PORT: port });
  expect((await refused.exited).code).toBe(1);
  expect(refused.output()).toContain('another `sluice up`');
});

test('a killed worker and a killed database are restarted', async () => {
  const service = await start();
  const worker = service.pidOf('worker-1');

  process.kill(worker, 'SIGKILL');
  process.kill(postgresPid(service), 'SIGKILL');

  await eventually(() => service.pidOf('worker-1') !== worker);
  await eventually(async () => (await fetch(`${service.url}/readyz`)).status === 200);
  await eventually(() => createWorkflow(service, aSmallWorkflow()));
});

test('a second signal stops everything at once', async () => {
  const service = await start({ settings: { SHUTDOWN_GRACE_MS: '60000' } });
  process.kill(service.pidOf('api'), 'SIGSTOP');

  service.signal('SIGINT');
  await eventually(() => service.output().includes('stopping'));
  service.signal('SIGINT');

  const before = performance.now();
  expect((await service.exited).code).toBe(0);
  expect(performance.now() - before).toBeLessThan(30_000); // half of the grace period
});
