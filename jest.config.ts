import { availableParallelism } from 'node:os';
import { findChromium } from './tests/browser/support/find-chromium.ts';

/** Runs TypeScript as it is: Node strips the types, so there is no transformer. Three projects, by what a test needs. */
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

/** A migrated database for `startService`. */
const migrated = {
  globalSetup: '<rootDir>/tests/e2e/support/migrated-home.ts',
  globalTeardown: '<rootDir>/tests/e2e/support/remove-migrated-home.ts',
};

/** Skipped on machines without a browser. */
const browser =
  findChromium() === undefined
    ? []
    : [{ ...shared, ...migrated, displayName: 'browser', testMatch: ['<rootDir>/tests/browser/**/*.browser.test.ts'] }];

export default {
  /** Tests start processes: three workers keep two cores busy, and more let tests time out. Large machines leave half to those processes. */
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  testSequencer: '<rootDir>/tools/mixed-load.ts',
  /** Ends a test that hangs on the slowest of machines. A test that waits for a condition gives up earlier and reports what it saw. */
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
