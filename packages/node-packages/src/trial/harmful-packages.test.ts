import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { keyPackage, loadFrom, shout, shoutAfter } from '../testing/load-from.ts';
import { writePackage } from '../testing/write-package.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harmful-packages-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Still loading when the errors of earlier packages occur. */
const slow = shoutAfter('await new Promise((resolve) => setTimeout(resolve, 100));');

/** Harm that the process can attribute to a package. Each case starts another process. */
const cases: [source: string, reason: string][] = [
  ["Promise.reject(new Error('unseen'));", 'it throws an uncaught error while it loads: unseen'],
  ['process.exit(3);', 'it terminates the process (exit code 3)'],
  ["setTimeout(() => { throw 'oops'; }, 60);", 'it throws an uncaught error while it loads: oops'],
  ["setTimeout(() => Promise.reject('oops'), 60);", 'it throws an uncaught error while it loads: oops'],
  ['setTimeout(() => process.exit(4), 60);', 'it terminates the process (exit code 4)'],
  ['Promise.reject(Object.create(null));', 'it throws an uncaught error while it loads: an error without a message'],
  ["import 'dep';", 'it throws an uncaught error while it loads: terminated unexpectedly'],
  // The stack of this error contains no package file.
  ["import net from 'node:net'; net.connect(1, '127.0.0.1').unref();", 'ECONNREFUSED'],
];

/** Terminations of the process that do not show which package caused them. */
const unknown: [what: string, source: string, reason: string, timeoutMs: number][] = [
  ['kills the process', "process.kill(process.pid, 'SIGTERM');", 'it terminates the process (SIGTERM)', 60_000],
  [
    'kills the process, 60 ms later',
    "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 60);",
    'it terminates the process (SIGKILL)',
    60_000,
  ],
  [
    'blocks forever',
    'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
    'it was not loaded within 2000 milliseconds',
    2_000,
  ],
];

const changes: [source: string, reason: RegExp][] = [
  ['Array.prototype.map = () => [];', /^it changes Array\.prototype\.map, which would affect all code$/],
  ["JSON.stringify = () => '{}';", /^it changes JSON\.stringify, which would affect all code$/],
  [
    "import fs from 'node:fs'; fs.readFileSync = () => ''; fs.promises.readFile = async () => '';",
    /^it changes fs\.readFileSync, fs\.promises\.readFile, which would affect all code$/,
  ],
  [
    'setTimeout(() => { Promise.prototype.then = () => {}; }, 1);',
    /^it changes Promise\.prototype\.then, which would affect all code$/,
  ],
  [
    'Object.freeze(Object.prototype);',
    /^it changes Object\.prototype, Object\.prototype\.constructor, .+, which affects all code and cannot be undone$/,
  ],
];

describe('third-party packages are tried in a separate process', () => {
  test('packages to which errors and exits can be attributed are omitted, but not packages that load in the meantime', async () => {
    await writePackage(join(folder, 'node_modules'), 'dep', {
      manifest: { type: 'commonjs' },
      files: { 'index.js': "setTimeout(() => { throw new Error('terminated unexpectedly') }, 60)" },
    });
    for (const name of ['a', 'c', 'd']) await writePackage(folder, name, slow);
    for (const [index, [source]] of cases.entries()) await writePackage(folder, `b${index}`, shoutAfter(source));
    const { packages, failures } = await loadFrom(folder, { timeoutMs: 60_000 });
    const expected = cases.map(([, reason], index) => ({ package: `b${index}`, reason: expect.stringContaining(reason) }));
    expect(failures).toEqual(expected);
    expect(packages.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  });

  test.each(unknown)(
    'a package that %s is found and omitted, and later packages load',
    async (_, source, reason, timeoutMs) => {
      await writePackage(folder, 'a', keyPackage('acmeApi'));
      await writePackage(folder, 'b', shoutAfter(source));
      await writePackage(folder, 'c', slow);
      await writePackage(folder, 'd', keyPackage('otherApi', "extends: ['acmeApi']"));
      const { packages, failures } = await loadFrom(folder, { timeoutMs });
      expect(failures).toEqual([{ package: 'b', reason }]);
      expect(packages.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
    },
  );

  test('only packages that change shared built-ins are omitted', async () => {
    for (const name of ['a', 'c']) await writePackage(folder, name, shout);
    for (const [index, [source]] of changes.entries()) await writePackage(folder, `b${index}`, shoutAfter(source));
    const { packages, failures } = await loadFrom(folder);
    const expected = changes.map(([, reason], index) => ({ package: `b${index}`, reason: expect.stringMatching(reason) }));
    expect(failures).toEqual(expected);
    expect(packages.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test('a package cannot shift blame to another by removing error listeners', async () => {
    await writePackage(folder, 'a', shoutAfter("process.removeAllListeners('uncaughtException');"));
    await writePackage(folder, 'b', shoutAfter("setTimeout(() => { throw new Error('late'); }, 1);"));
    const { packages, failures } = await loadFrom(folder, { timeoutMs: 60_000 });
    expect(failures).toEqual([{ package: 'b', reason: 'it throws an uncaught error while it loads: late' }]);
    expect(packages.map(({ name }) => name)).toEqual(['a']);
  });

  test('packages that never finish loading are abandoned', async () => {
    const source = 'await new Promise(() => {}); export default 1;';
    await writePackage(folder, 'slow', { ...shout, files: { 'shout.js': source } });
    const { failures } = await loadFrom(folder, { timeoutMs: 20 });
    expect(failures).toEqual([{ package: 'slow', reason: 'it was not loaded within 20 milliseconds' }]);
  });
});
