export { ExecutionPruner } from './execution-pruner.ts';
export { startHealthServer } from './health-server.ts';
export { type RunningWorker, startWorker } from './worker.ts';
