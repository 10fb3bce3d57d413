import { services, shared } from './jest.config.ts';

/**
 * Tests of nodes, credentials, and our own stores with real servers. Not part of `./dev test`,
 * because they download packages.
 */
export default {
  ...shared,
  ...services,
  displayName: 'services',
  maxWorkers: 2,
  testTimeout: 300_000,
  testMatch: ['<rootDir>/{packages/*/tests,tests}/services/**/*.services.test.ts'],
};
