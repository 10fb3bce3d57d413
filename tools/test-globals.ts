import type * as jestGlobals from '@jest/globals';

type TestGlobals = Pick<
  typeof jestGlobals,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'jest' | 'test'
>;

/*
 * Replaces `@jest/globals`. Modules that stay loaded use the globals of the current test file,
 * because imports are live bindings.
 */
export let afterAll: TestGlobals['afterAll'];
export let afterEach: TestGlobals['afterEach'];
export let beforeAll: TestGlobals['beforeAll'];
export let beforeEach: TestGlobals['beforeEach'];
export let describe: TestGlobals['describe'];
export let expect: TestGlobals['expect'];
export let it: TestGlobals['it'];
export let jest: TestGlobals['jest'];
export let test: TestGlobals['test'];

export function setTestGlobals(globals: TestGlobals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
