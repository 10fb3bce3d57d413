import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from '@jest/globals';
import { childEnvironment } from '@sluice/config';
import { findFreePort, isAlive } from '@sluice/embedded';
import { eventually } from '@sluice/test-support';
import type { MemberPlan } from '../src/up/fleet.ts';
import { ChildRecord } from '../src/up/leftovers.ts';
import { Supervisor } from '../src/up/supervisor.ts';

const fixture = fileURLToPath(new URL('./fixtures/member.ts', import.meta.url));
const undo: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of undo.splice(0)) await cleanUp();
});

async function aSupervisor(variables: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'sluice-supervisor-'));
  const port = await findFreePort();
  const plan: MemberPlan = {
    name: 'api',
    args: [fixture],
    env: childEnvironment({ PORT: String(port), ...variables }),
    logFile: join(home, 'api.log'),
    url: `http://127.0.0.1:${port}`,
  };
  const printed: string[] = [];
  const terminal = { line: (text: string) => void printed.push(text), warn: (text: string) => void printed.push(text) };
  const supervisor = new Supervisor([plan], { children: new ChildRecord(home), terminal });
  undo.push(async () => {
    await supervisor.stop(0);
    rmSync(home, { recursive: true });
  });
  const pids = () =>
    (JSON.parse(readFileSync(join(home, 'children.json'), 'utf8')) as string[]).map((id) => Number.parseInt(id, 10));
  return { supervisor, printed, home, pids };
}

const never = new AbortController().signal;

test('a process whose restart fails is restarted later', async () => {
  const { supervisor, printed, home, pids } = await aSupervisor();
  await supervisor.start(never);
  const [first = 0] = pids();
  rmSync(join(home, 'api.log'));
  mkdirSync(join(home, 'api.log')); // a log that cannot be opened

  process.kill(first, 'SIGKILL');
  await eventually(() => printed.join().includes('EISDIR'));
  rmSync(join(home, 'api.log'), { recursive: true });

  await eventually(() => pids().find((pid) => pid !== first) ?? false);
});

test('a killed process is restarted, with a message to the user', async () => {
  const { supervisor, printed, pids } = await aSupervisor();
  await supervisor.start(never);
  const [first = 0] = pids();

  process.kill(first, 'SIGKILL');

  const second = await eventually(() => pids().find((pid) => pid !== first) ?? false);
  expect(isAlive(second)).toBe(true);
  expect(printed.join()).toMatch(/api has exited \(SIGKILL\); restarting it/);
});

test('the start fails with the error of a process that exits before it is ready', async () => {
  const { supervisor, printed } = await aSupervisor({ FAILS: '1' });

  await expect(supervisor.start(never)).rejects.toThrow('api did not start (exit code 1)');
  await supervisor.stop(0);

  expect(printed.join()).toContain('cannot start at all');
});

test('a process that does not stop in time is killed and removed from the record', async () => {
  const { supervisor, pids } = await aSupervisor({ STUBBORN: '1' });
  await supervisor.start(never);
  const [pid = 0] = pids();

  await supervisor.stop(200);

  expect(isAlive(pid)).toBe(false);
  expect(pids()).toEqual([]);
});

test('the next `sluice up` kills processes of a killed one', async () => {
  const { supervisor, home, pids } = await aSupervisor({ STUBBORN: '1' });
  await supervisor.start(never);
  const [pid = 0] = pids();

  await new ChildRecord(home).endLeftovers(100, () => undefined);

  expect(isAlive(pid)).toBe(false);
});
