import { expect, test } from '@jest/globals';
import { listenForShutdown } from './shutdown-signals.ts';

test('a second signal stops immediately, except SIGHUP, which a closed terminal may repeat', () => {
  const { stop, stopNow, dispose } = listenForShutdown();
  const states = (['SIGHUP', 'SIGHUP', 'SIGTERM'] as const).map((name) => {
    process.emit(name, name);
    return [stop.aborted, stopNow.aborted];
  });
  dispose();

  expect(states).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
});
