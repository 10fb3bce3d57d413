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
  /** For machines that are busy with something else; a test that waits for a condition has a limit of its own. */
  testTimeout: 30_000,
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
