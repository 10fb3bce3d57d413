export { startHealthServer } from './health-server.ts';
export { ExecutionPruner } from './maintenance/execution-pruner.ts';
export { type RunningWorker, startWorker } from './worker.ts';
