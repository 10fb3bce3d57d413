import type { QueueView, WorkerView } from '@sluice/contract';
import type { LiveWorker, WorkerListRepository } from '@sluice/db';
import type { Caller } from '../auth/caller.ts';

interface SystemServiceOptions {
  workerList: WorkerListRepository;
  limits: { queuedMaxPerProject: number };
}

/** The state of the installation: its workers, and the executions that wait for them. */
export class SystemService {
  readonly #options: SystemServiceOptions;

  constructor(options: SystemServiceOptions) {
    this.#options = options;
  }

  async listWorkers(): Promise<WorkerView[]> {
    return (await this.#options.workerList.listLive()).map(toWorkerView);
  }

  /** Reads the queues of the caller’s projects. */
  async getQueue(caller: Caller): Promise<QueueView> {
    const { workerList, limits } = this.#options;
    const queue = await workerList.readQueue(caller.access['project:viewer']);
    return {
      ...queue,
      oldestQueuedAt: queue.oldestQueuedAt?.toISOString() ?? null,
      maxPerProject: limits.queuedMaxPerProject,
      projects: queue.projects.map((project) => ({ ...project, oldestQueuedAt: project.oldestQueuedAt.toISOString() })),
    };
  }
}

function toWorkerView({ startedAt, reportedAt, leaseExpiresAt, ...worker }: LiveWorker): WorkerView {
  return {
    ...worker,
    startedAt: startedAt.toISOString(),
    reportedAt: reportedAt?.toISOString() ?? null,
    leaseExpiresAt: leaseExpiresAt.toISOString(),
  };
}
