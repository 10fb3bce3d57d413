import { services, shared } from './jest.config.ts';

/** Tests of nodes, credentials, and our own stores against real servers, apart from `./dev test`: they need packages from the network. */
export default {
  ...shared,
  ...services,
  displayName: 'services',
  maxWorkers: 2,
  testTimeout: 300_000,
  testMatch: ['<rootDir>/{packages/*/tests,tests}/services/**/*.services.test.ts'],
};
