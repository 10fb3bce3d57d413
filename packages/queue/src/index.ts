export { ChunkChannel, ChunkListener, type NumberedChunk } from './chunk-channel.ts';
export { parseRunExecutionJob, type RunExecutionJob, runExecution } from './contracts.ts';
export { EndedWaiter, type Heard, type Listening } from './ended-waiter.ts';
export { type ConsumerOptions, ExecutionConsumer } from './execution-consumer.ts';
export { ExecutionQueue, type ExecutionRef } from './execution-queue.ts';
export { type NodeStarted, ProgressChannel, type ProgressMessage } from './progress-channel.ts';
export { closeRedis, createRedis, type RedisRole } from './redis.ts';
export { RedisWatch } from './redis-watch.ts';
export { SignalChannel, type SignalName } from './signal-channel.ts';
