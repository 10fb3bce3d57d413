import { describe, expect, test } from '@jest/globals';
import { nearest } from './nearest-first.ts';

const pathsOf = (tests: { path: string }[]) => tests.map(({ path }) => path);
const files = (...paths: string[]) => paths.map((path) => ({ path, duration: 10 }));

describe('the tests of changed files', () => {
  const tests = files('/r/apps/api/a.test.ts', '/r/packages/db/tests/b.int.test.ts', '/r/packages/db/src/c.test.ts');

  test('start with the tests nearest to a change', () => {
    expect(pathsOf(nearest(tests, ['/r/packages/db/src/c.ts'], 30))).toEqual([
      '/r/packages/db/src/c.test.ts',
      '/r/packages/db/tests/b.int.test.ts',
      '/r/apps/api/a.test.ts',
    ]);
  });

  test('end when the time is used up', () => {
    expect(pathsOf(nearest(tests, ['/r/packages/db/src/c.ts'], 20))).not.toContain('/r/apps/api/a.test.ts');
  });

  test('include every changed test file, however long it takes', () => {
    const changed = pathsOf(tests);
    expect(pathsOf(nearest(tests, changed, 5)).toSorted()).toEqual(changed.toSorted());
  });

  test('skip a slow file in favor of faster files', () => {
    const slow = { path: '/r/packages/db/src/slow.test.ts', duration: 30 };
    expect(pathsOf(nearest([slow, ...tests], ['/r/packages/db/src/c.ts'], 30))).toEqual(
      pathsOf(nearest(tests, ['/r/packages/db/src/c.ts'], 30)),
    );
  });

  test('assume two seconds for a file that has not run yet', () => {
    const unknown = [{ path: '/r/a.test.ts' }, { path: '/r/b.test.ts' }];
    expect(nearest(unknown, [], 3_000)).toHaveLength(1);
  });

  test('keep their order if they are equally near', () => {
    const equal = files('/r/z.test.ts', '/r/a.test.ts');
    expect(nearest(equal, ['/r/m.ts'], 20)).toEqual(equal);
  });
});
