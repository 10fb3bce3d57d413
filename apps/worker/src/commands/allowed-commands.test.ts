import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { AllowedCommands } from './allowed-commands.ts';

const uid = 65_534;
const programs = ['/bin/echo', '/usr/bin/env', '/usr/bin/id', '/bin/sleep', '/bin/sh', '/bin/cat', '/bin/pwd'];
const commands = new AllowedCommands({ programs, uid, gid: uid });
const run = (command: string, signal = new AbortController().signal) => commands.run(command, signal);
const isRoot = process.getuid?.() === 0;
const refused = (message: string) =>
  expect.objectContaining({ code: 'COMMAND_REFUSED', message: expect.stringContaining(message) });

test('a program that the operator does not allow is rejected', async () => {
  await expect(run('/usr/bin/touch /tmp/x')).rejects.toEqual(refused('/usr/bin/touch is not allowed'));
  await expect(run('/bin/../bin/echo x')).rejects.toEqual(refused('is not allowed'));
});

test('commands never run as root', async () => {
  const asRoot = new AllowedCommands({ programs, uid: 0, gid: 0 });
  await expect(asRoot.run('/bin/echo x', new AbortController().signal)).rejects.toEqual(refused('not root'));
});

(isRoot ? describe : describe.skip)('on a worker that runs as root', () => {
  test('a command runs with its arguments as a separate user, in / and without an environment', async () => {
    expect(await run("/bin/echo 'Hello Ada' $HOME")).toEqual({ exitCode: 0, stdout: 'Hello Ada $HOME', stderr: '' });
    expect((await run('/usr/bin/id -u')).stdout).toBe(String(uid));
    expect((await run('/bin/pwd')).stdout).toBe('/');
    expect((await run('/usr/bin/env')).stdout).toBe('');
  });

  test('the exit code and the error output are returned', async () => {
    const { exitCode, stderr } = await run('/bin/cat /no/such/file');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('No such file');
  });

  test('a command cannot read the environment of the worker', async () => {
    const { exitCode, stdout } = await run(`/bin/cat /proc/${process.pid}/environ`);
    expect([exitCode, stdout]).toEqual([1, '']);
  });

  test('a command is killed with all of its processes when the signal fires', async () => {
    const controller = new AbortController();
    const running = run("/bin/sh -c '/bin/sleep 4242 & /bin/sleep 4242'", controller.signal);
    await delay(200);
    controller.abort(new Error('canceled'));
    await expect(running).rejects.toThrow('canceled');
    const remainingProcesses = async () => (await run("/bin/sh -c 'grep -lz ^4242$ /proc/[0-9]*/cmdline 2>/dev/null'")).stdout;
    let remaining = await remainingProcesses();
    for (let tries = 0; tries < 50 && remaining.split('\n').length > 1; tries++) {
      await delay(100);
      remaining = await remainingProcesses();
    }
    expect(remaining.split('\n').length).toBeLessThanOrEqual(1);
  });

  test('a command whose arguments are too long is rejected', async () => {
    await expect(run(`/bin/echo ${'x'.repeat(200_000)}`)).rejects.toEqual(refused('cannot be started'));
  });

  test('a command that writes too much is killed', async () => {
    await expect(run('/bin/cat /dev/zero')).rejects.toEqual(refused('writes more than'));
  });
});
