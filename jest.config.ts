import { availableParallelism } from 'node:os';
import { findChromium } from './tests/browser/support/find-chromium.ts';

/** Settings of all projects. Node strips the types from TypeScript, so no transformer is needed. */
export const shared = {
  testEnvironment: '<rootDir>/tools/test-environment.ts',
  runtime: '<rootDir>/tools/test-runtime.ts',
  injectGlobals: false,
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['/dist/', '/\\.sluice/'],
};
/** Postgres and Redis for `testDatabase` and `testRedisUrl`. */
export const services = {
  globalSetup: '<rootDir>/packages/test-support/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/test-support/src/global-teardown.ts',
};

/** Creates a migrated database for `startService`. */
const migrated = {
  globalSetup: '<rootDir>/tests/e2e/support/migrated-home.ts',
  globalTeardown: '<rootDir>/tests/e2e/support/remove-migrated-home.ts',
};

/** Browser tests; skipped on machines without a browser. */
const browser =
  findChromium() === undefined
    ? []
    : [{ ...shared, ...migrated, displayName: 'browser', testMatch: ['<rootDir>/tests/browser/**/*.browser.test.ts'] }];

export default {
  /**
   * Tests start processes, which need half of the cores. On two cores, more than three workers
   * would let tests time out.
   */
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  testSequencer: '<rootDir>/tools/mixed-load.ts',
  /**
   * Long enough for slow machines; only ends tests that hang. Tests that wait for a condition time
   * out earlier, with a better message.
   */
  testTimeout: 300_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps}/*/src/**/*.test.ts', '<rootDir>/tools/**/*.test.ts'],
    },
    { ...shared, ...services, displayName: 'integration', testMatch: ['<rootDir>/{packages,apps}/*/tests/**/*.int.test.ts'] },
    { ...shared, ...migrated, displayName: 'e2e', testMatch: ['<rootDir>/tests/e2e/**/*.e2e.test.ts'] },
    ...browser,
  ],
};
