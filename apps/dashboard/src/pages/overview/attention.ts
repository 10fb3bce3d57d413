import { formatCount, formatDuration } from '../../ui/format.ts';
import type { ApiKey, Queue, Statistics, Worker } from './use-overview.ts';

/** Something that an operator should look at. */
export interface AttentionItem {
  tone: 'error' | 'waiting';
  title: string;
  text: string;
  /** Where to look. */
  to?: string;
  search?: Record<string, string>;
}

interface Facts {
  statistics?: Statistics;
  queue?: Queue;
  workers?: readonly Worker[];
  keys?: readonly Pick<ApiKey, 'label' | 'expiresAt'>[];
}

const day = 86_400_000;
/** A queue older than this has too few workers, or none. */
const oldQueueMs = 60_000;
const lateLoopMs = 1_000;

/** The most urgent first. */
export function attentionItems({ statistics, queue, workers, keys = [] }: Facts, now: number): AttentionItem[] {
  const items = [
    ...(workers ? ofWorkers(workers) : []),
    ...(queue ? ofQueue(queue, now) : []),
    ...(statistics ? ofFailures(statistics) : []),
    ...keys.flatMap((key) => ofKey(key, now)),
  ];
  return items.toSorted((a, b) => Number(b.tone === 'error') - Number(a.tone === 'error'));
}

function ofWorkers(workers: readonly Worker[]): AttentionItem[] {
  if (workers.length === 0) {
    return [
      { tone: 'error', title: 'No worker is running', text: 'Queued executions wait until one starts: `sluice worker`.' },
    ];
  }
  return workers.flatMap(({ hostname, pid, loopLagMs, memoryBytes, memoryLimitBytes }): AttentionItem[] => {
    const name = `${hostname}, process ${pid}`;
    if (loopLagMs !== null && loopLagMs > lateLoopMs) {
      return [
        {
          tone: 'waiting',
          title: 'A worker is busy',
          text: `${name}: its event loop was late by ${formatDuration(loopLagMs)}.`,
        },
      ];
    }
    const share = memoryBytes !== null && memoryLimitBytes !== null ? memoryBytes / memoryLimitBytes : 0;
    if (share < 0.9) return [];
    return [
      { tone: 'waiting', title: 'A worker is short of memory', text: `${name} uses ${Math.round(share * 100)}% of its limit.` },
    ];
  });
}

function ofQueue({ oldestQueuedAt, queued, maxPerProject, projects }: Queue, now: number): AttentionItem[] {
  const age = oldestQueuedAt === null ? 0 : now - Date.parse(oldestQueuedAt);
  const old: AttentionItem[] =
    age > oldQueueMs
      ? [
          {
            tone: 'error',
            title: `The oldest of ${formatCount(queued)} queued executions waits for ${formatDuration(age)}`,
            text: 'Add workers, or raise their concurrency.',
            to: '/executions',
            search: { status: 'new' },
          },
        ]
      : [];
  const full = maxPerProject === null ? [] : projects.filter((project) => project.queued > 0.8 * maxPerProject);
  return [
    ...old,
    ...full.map(
      ({ projectId, projectName, queued: count }): AttentionItem => ({
        tone: 'waiting',
        title: `The queue of ${projectName} is nearly full`,
        text: `${formatCount(count)} of ${formatCount(maxPerProject ?? 0)}; beyond that, new executions are refused with 429.`,
        to: '/executions',
        search: { status: 'new', projectId },
      }),
    ),
  ];
}

function ofFailures({ mostFailing }: Statistics): AttentionItem[] {
  return mostFailing
    .filter(({ failed, succeeded }) => failed >= 3 && failed > succeeded)
    .slice(0, 3)
    .map(({ workflowId, workflowName, failed, succeeded }) => ({
      tone: 'error',
      title: `${workflowName} fails`,
      text: `${formatCount(failed)} of ${formatCount(failed + succeeded)} executions in this period.`,
      to: '/executions',
      search: { workflowId, status: 'error,crashed' },
    }));
}

function ofKey({ label, expiresAt }: Pick<ApiKey, 'label' | 'expiresAt'>, now: number): AttentionItem[] {
  if (!expiresAt) return [];
  const left = expiresAt * 1000 - now;
  if (left > 7 * day) return [];
  const text = left < 0 ? 'It has expired. Remove it, or create another one.' : `It expires in ${formatDuration(left)}.`;
  return [{ tone: left < day ? 'error' : 'waiting', title: `API key “${label}”`, text, to: '/keys' }];
}
