export { MemoryBudget } from '@sluice/domain';
export * from './fake-source.ts';
export * from './listen.ts';
export { noNetwork } from './no-network.ts';
export * from './poll-once.ts';
