import { type Static, Type } from './schema-builder.ts';
import { nullable, timestamp } from './schema-helpers.ts';

const reported = (description: string) => nullable(Type.Integer({ description: `${description}; null: not reported` }));

export const workerView = Type.Object(
  {
    id: Type.String(),
    hostname: Type.String(),
    pid: Type.Integer(),
    version: nullable(Type.String({ description: 'release of the service; null: a release that does not report it' })),
    packages: Type.Array(Type.Object({ name: Type.String(), version: Type.String() }), {
      description: 'installed packages of node types',
    }),
    concurrency: Type.Integer({ description: 'maximum number of executions that it runs at a time' }),
    capacity: reported('current limit of concurrent executions'),
    active: reported('number of executions that it runs'),
    memoryBytes: reported('resident memory'),
    memoryLimitBytes: reported('memory limit of the container, or else of the heap'),
    loopLagMs: reported('maximum timer delay since the previous report, in milliseconds'),
    startedAt: timestamp,
    reportedAt: nullable(timestamp),
    leaseExpiresAt: timestamp,
    leaseRemainingMs: Type.Integer({ description: 'milliseconds until the lease expires; negative: it has expired' }),
  },
  { title: 'Worker' },
);
export type WorkerView = Static<typeof workerView>;

export const workerList = Type.Object({ data: Type.Array(workerView) });

export const queueView = Type.Object(
  {
    queued: Type.Integer({ description: 'executions that wait for a worker, up to 100,000' }),
    oldestQueuedAt: nullable(timestamp),
    blocked: Type.Integer({ description: 'executions that wait for a concurrency or rate limit, up to 100,000' }),
    maxPerProject: Type.Integer({ description: 'maximum number of a project’s executions that wait; further starts are 429' }),
    projects: Type.Array(
      Type.Object({
        projectId: Type.String(),
        projectName: Type.String(),
        queued: Type.Integer(),
        oldestQueuedAt: timestamp,
      }),
      { description: 'the 20 projects with the most executions that wait for a worker' },
    ),
  },
  { title: 'Queue' },
);
export type QueueView = Static<typeof queueView>;
