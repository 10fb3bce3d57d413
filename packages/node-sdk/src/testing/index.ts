export * from './fake-source.ts';
export * from './listen.ts';
export * from './poll-once.ts';
