import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { type UncaughtErrorKind, UncaughtErrors } from './uncaught-errors.ts';

type Line = Record<string, unknown>;

function uncaughtErrors(folders: Readonly<Record<string, string>> = {}) {
  const lines: Line[] = [];
  const errors = new UncaughtErrors({ error: (fields) => void lines.push({ ...fields }) });
  for (const [folder, name] of Object.entries(folders)) errors.know(folder, name);
  return { lines, errors };
}

test("an error thrown in a timer goes to the timer's owner and its logger", async () => {
  const { errors, lines } = uncaughtErrors();
  const ownLines: Line[] = [];
  const { promise, resolve } = Promise.withResolvers<[unknown, UncaughtErrorKind]>();
  const owner = {
    logger: { error: (fields: object) => void ownLines.push({ ...fields }) },
    failed: (error: unknown, kind: UncaughtErrorKind) => resolve([error, kind]),
  };
  errors.run(owner, () => setTimeout(() => expect(errors.take('thrown late', 'thrown')).toBe(true), 1));
  expect(await promise).toEqual(['thrown late', 'thrown']);
  expect([lines, ownLines]).toEqual([[], [{ error: 'thrown late', err: 'thrown late' }]]);
});

test('an error without an owner is not handled', () => {
  const { errors, lines } = uncaughtErrors({ '/srv/nodes/acme': 'acme' });
  expect(errors.take(new Error('whose?'), 'thrown')).toBe(false);
  expect(lines).toMatchObject([{ error: 'whose?' }]);
});

test.each(['file:///srv/my%20nodes/acme/dist/a.js:3:1', '/srv/my nodes/acme/dist/a.js:3:1'])(
  'an error without an owner is attributed to the package in its stack: %s',
  (place) => {
    const { errors, lines } = uncaughtErrors({ '/srv/my nodes/acm': 'other', '/srv/my nodes/acme': 'acme' });
    const error = Object.assign(new Error('late'), { stack: `Error: 50% late\n    at Timeout (${place})` });
    expect(errors.take(error, 'thrown')).toBe(true);
    expect(lines).toMatchObject([{ package: 'acme', error: 'late' }]);
  },
);

test.each([
  ['/srv/nodes/node_modules/dep/i.js:1:1', 'dep'],
  ['/srv/nodes/node_modules/@acme/dep/lib/i.js:1:1', '@acme/dep'],
  ['file:///srv/nodes/own/i.js:1:1', 'own'],
])('an error without an owner is attributed to a dependency in its stack, too: %s', (place, name) => {
  const { errors, lines } = uncaughtErrors();
  errors.knowAll('/srv/nodes');
  const error = Object.assign(new Error('late'), { stack: `Error: late\n    at Timeout (${place})` });
  expect(errors.take(error, 'thrown')).toBe(true);
  expect(lines).toMatchObject([{ package: name }]);
});

test('an error of work started while a package loads belongs to that package', async () => {
  const { errors, lines } = uncaughtErrors();
  const { promise, resolve } = Promise.withResolvers<void>();
  errors.run({ package: 'acme' }, () =>
    setTimeout(() => {
      expect(errors.take(Object.create(null), 'rejected')).toBe(true);
      resolve();
    }, 1),
  );
  await promise;
  expect(lines).toMatchObject([{ package: 'acme', error: 'an error without a message' }]);
});

test('an error of a dependency belongs to the package that loaded it', () => {
  const { errors, lines } = uncaughtErrors();
  errors.knowAll('/srv/nodes');
  const error = Object.assign(new Error('late'), { stack: 'Error: late\n    at a (/srv/nodes/node_modules/dep/i.js:1:1)' });
  errors.run({ package: 'acme' }, () => errors.take(error, 'thrown'));
  expect(lines).toMatchObject([{ package: 'acme' }]);
});

test('package listeners for uncaught errors are removed, and others are kept', async () => {
  const { errors } = uncaughtErrors();
  const process = new EventEmitter();
  errors.listen(process as NodeJS.Process, { end: () => undefined });
  const counts = () => ['uncaughtException', 'unhandledRejection', 'SIGHUP'].map((event) => process.listenerCount(event));
  process.on('uncaughtException', () => undefined);
  expect(counts()).toEqual([2, 1, 0]);
  errors.run({ package: 'acme' }, () => {
    process.on('uncaughtException', (error) => {
      throw error;
    });
    process.once('unhandledRejection', (error) => {
      throw error;
    });
    process.on('SIGHUP', () => undefined);
  });
  await setImmediate();
  expect(counts()).toEqual([2, 1, 1]);
});

const { prototype } = EventEmitter;
test.each<[string, (process: EventEmitter) => void]>([
  ['of an event', (process) => void process.removeAllListeners('uncaughtException').removeAllListeners('SIGTERM')],
  ['of all events', (process) => void process.removeAllListeners()],
  ['that watch for others, first', (process) => void process.removeAllListeners('newListener').removeAllListeners()],
  ['by the function that all emitters share', (process) => void prototype.removeAllListeners.call(process)],
  [
    'by that function, starting with those that watch for others',
    (process) => {
      for (const event of ['removeListener', 'newListener', 'SIGTERM', 'uncaughtException'])
        prototype.removeAllListeners.call(process, event);
      prototype.removeAllListeners.call(process);
    },
  ],
  ['by reinitialization', (process) => void (EventEmitter as unknown as { init(this: EventEmitter): void }).init.call(process)],
  [
    'one by one',
    (process) => {
      for (const event of process.eventNames())
        for (const listener of process.rawListeners(event))
          prototype.removeListener.call(process, event, listener as () => void);
    },
  ],
])('packages cannot remove listeners of other code: %s', async (_, empty) => {
  const { errors, lines } = uncaughtErrors();
  const process = new EventEmitter();
  const seen: string[] = [];
  process.on('SIGHUP', () => void seen.push('there before'));
  errors.listen(process as NodeJS.Process, { end: () => void seen.push('ended') });
  const stop = () => void seen.push('stopped');
  process.on('SIGTERM', stop);
  process.once('SIGINT', stop);
  await setImmediate();
  errors.run({ package: 'acme' }, () => {
    process.on('SIGTERM', () => undefined);
    empty(process);
    process.on('uncaughtException', () => seen.push('theirs'));
  });
  await setImmediate();
  for (const event of ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGINT']) process.emit(event);
  for (const event of ['uncaughtException', 'unhandledRejection']) process.emit(event, `an ${event}`);
  expect(seen).toEqual(['there before', 'stopped', 'stopped', 'ended']);
  expect(lines).toMatchObject([{ error: 'an uncaughtException' }, { error: 'an unhandledRejection' }]);
  process.off('SIGTERM', stop).removeAllListeners('SIGHUP');
  for (const event of ['SIGHUP', 'SIGTERM']) process.emit(event);
  expect(seen).toHaveLength(4);
});

/**
 * Simulates a process with protected listeners. Runs code as a package until everything is
 * restored.
 */
function aKeptProcess() {
  const { errors } = uncaughtErrors();
  const process = new EventEmitter();
  const asPackage = async (work: () => void) => {
    await setImmediate();
    errors.run({ package: 'acme' }, work);
    await setImmediate();
    process.emit('another event');
  };
  return { process, asPackage, listen: () => errors.listen(process as NodeJS.Process, { end: () => undefined }) };
}

test.each<[string, (process: EventEmitter) => void]>([
  ['with others that do nothing', () => undefined],
  ['with one that has another event emitted', (process) => void process.emit('another event')],
  ['with one that empties the event', (process) => void process.removeAllListeners('SIGUSR2')],
  ['with one that empties the emitter', (process) => void prototype.removeAllListeners.call(process)],
])('a once listener that fires while a package runs is not restored, %s', async (_, between) => {
  const { process, asPackage, listen } = aKeptProcess();
  const seen: string[] = [];
  process.once('SIGUSR2', () => void seen.push('there before'));
  listen();
  process.on('SIGUSR2', () => between(process));
  process.once('SIGUSR2', () => void seen.push('set later'));
  await asPackage(() => process.emit('SIGUSR2'));
  await asPackage(() => process.emit('SIGUSR2'));
  expect(seen).toEqual(['there before', 'set later']);
  expect(process.listenerCount('SIGUSR2')).toBe(1);
});

test('a single listener and a throwing listener are restored, too', async () => {
  const { process, asPackage, listen } = aKeptProcess();
  listen();
  const seen: string[] = [];
  process.once('SIGUSR2', () => void seen.push('alone'));
  await asPackage(() => process.emit('SIGUSR2'));
  process.once('SIGUSR2', () => {
    throw new Error('thrown by ours');
  });
  await asPackage(() => expect(() => process.emit('SIGUSR2')).toThrow('thrown by ours'));
  expect([seen, process.listenerCount('SIGUSR2')]).toEqual([['alone'], 0]);
});

test('a once listener that a package removes before it fires is restored and fires once', async () => {
  const { process, asPackage, listen } = aKeptProcess();
  listen();
  const seen: string[] = [];
  process.on('SIGUSR2', () => void seen.push('always'));
  process.once('SIGUSR2', () => void seen.push('once'));
  await asPackage(() => process.removeAllListeners('SIGUSR2'));
  for (const _ of [1, 2]) process.emit('SIGUSR2');
  await asPackage(() => undefined);
  expect(seen.toSorted()).toEqual(['always', 'always', 'once']);
  expect(process.listenerCount('SIGUSR2')).toBe(1);
});

test('a package cannot remove a listener that is attached twice, but its owner can', async () => {
  const { process, asPackage, listen } = aKeptProcess();
  listen();
  const stop = () => undefined;
  process.on('SIGUSR2', stop).on('SIGUSR2', stop);
  await asPackage(() => process.off('SIGUSR2', stop));
  expect(process.listenerCount('SIGUSR2')).toBe(2);
  for (const remaining of [1, 0]) {
    process.off('SIGUSR2', stop);
    await asPackage(() => undefined);
    expect(process.listenerCount('SIGUSR2')).toBe(remaining);
  }
});

test('if a listener is attached with both on and once, the permanent attachment remains after the other fires', async () => {
  const { process, asPackage, listen } = aKeptProcess();
  listen();
  const stop = () => undefined;
  process.once('SIGUSR2', stop).on('SIGUSR2', stop);
  await setImmediate();
  process.emit('SIGUSR2');
  await asPackage(() => process.removeAllListeners('SIGUSR2'));
  expect(process.rawListeners('SIGUSR2')).toEqual([stop]);
});

test('a signal whose listener a package removes does not terminate the process', async () => {
  const source = `
    import { execFile } from 'node:child_process';
import { EventEmitter } from 'node:events';
    import { UncaughtErrors } from ${JSON.stringify(new URL('uncaught-errors.ts', import.meta.url).pathname)};
    const uncaughtErrors = new UncaughtErrors({ error: ({ error }) => console.log(error) });
    uncaughtErrors.listen(process, { end: () => process.exit(1), atRejections: true });
    process.on('SIGTERM', () => { console.log('stops'); clearInterval(life); });
    const life = setInterval(() => undefined, 1_000);
    await null;
    uncaughtErrors.run({ package: 'acme' }, () => {
      EventEmitter.prototype.removeAllListeners.call(process, 'SIGTERM');
      EventEmitter.prototype.removeAllListeners.call(process);
      setTimeout(() => { throw new Error('thrown'); });
      Promise.reject(new Error('rejected'));
    });
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 10);`;
  const flags = ['--input-type=module', '--conditions=source', '--eval', source];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: import.meta.dirname });
  expect(stdout.trim().split('\n').toSorted()).toEqual(['rejected', 'stops', 'thrown']);
});

test('an owner whose callback throws does not crash the process', () => {
  const { errors, lines } = uncaughtErrors();
  const failed = () => {
    throw new Error('deaf');
  };
  expect(errors.run({ failed }, () => errors.take('late', 'thrown'))).toBe(true);
  expect(lines).toMatchObject([{ error: 'late' }, { error: 'deaf' }]);
});
