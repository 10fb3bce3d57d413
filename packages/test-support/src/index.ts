export { withDatabaseName } from './database-url.ts';
export { eventually } from './eventually.ts';
export { watchForLeaks } from './leak-check.ts';
export { longestBusy, processorMs } from './longest-busy.ts';
export { type SeedSize, seedLists } from './seed-lists.ts';
export { type TestDatabase, testDatabase } from './test-database.ts';
export { testMasterKey } from './test-master-key.ts';
export { testRedisPrefix, testRedisUrl } from './test-redis.ts';
export { aChain, aNode, aSmallWorkflow } from './workflow-factories.ts';
