import { availableParallelism } from 'node:os';

/** Runs TypeScript as it is: Node strips the types, so there is no transformer. Three projects, by what a test needs. */
const shared = {
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['/dist/', '/\\.sluice/'],
};
const services = {
  globalSetup: '<rootDir>/packages/test-support/src/global-setup.ts',
  globalTeardown: '<rootDir>/packages/test-support/src/global-teardown.ts',
};

export default {
  /** Nearly half of a test file is waiting: three share a machine of two cores well. On large ones half of it is left to the processes that tests start. */
  maxWorkers: Math.max(3, Math.floor(availableParallelism() / 2)),
  /** The bound of whatever hangs, on the slowest of machines; what waits for a condition gives up before that, and says what it has seen. */
  testTimeout: 300_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps}/*/src/**/*.test.ts', '<rootDir>/tools/**/*.test.ts'],
    },
    { ...shared, ...services, displayName: 'integration', testMatch: ['<rootDir>/{packages,apps}/*/tests/**/*.int.test.ts'] },
    { ...shared, displayName: 'e2e', testMatch: ['<rootDir>/tests/e2e/**/*.e2e.test.ts'] },
  ],
};
