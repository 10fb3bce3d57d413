import { getQueue } from './get-queue.ts';
import { listWorkers } from './list-workers.ts';

export const systemRoutes = [listWorkers, getQueue];
