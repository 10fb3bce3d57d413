import { formatCount, formatDuration } from '../../ui/format.ts';
import type { Finding, Queue, Statistics, Worker } from './use-overview.ts';

/** Something that an operator should look at. */
export interface AttentionItem {
  tone: 'error' | 'waiting';
  title: string;
  text?: string;
  /** Where to look. */
  to?: string;
  search?: Record<string, string>;
}

interface Facts {
  /** From the service: triggers, credentials, keys, limits, packages. */
  findings?: readonly Finding[] | undefined;
  statistics?: Statistics | undefined;
  queue?: Pick<Queue, 'queued' | 'oldestQueuedAt'> | undefined;
  workers?: readonly Pick<Worker, 'hostname' | 'pid' | 'loopLagMs' | 'memoryBytes' | 'memoryLimitBytes'>[] | undefined;
}

/** A queue older than this has too few workers. */
const oldQueueMs = 60_000;
const lateLoopMs = 1_000;

/** Findings of the service, and conclusions from its figures; the most urgent first. */
export function attentionItems({ findings = [], statistics, queue, workers = [] }: Facts, now: number): AttentionItem[] {
  const items = [
    ...findings.map(ofFinding),
    ...(queue ? ofQueue(queue, now) : []),
    ...(statistics ? ofFailures(statistics) : []),
    ...workers.flatMap(ofWorker),
  ];
  return items.toSorted((a, b) => Number(b.tone === 'error') - Number(a.tone === 'error'));
}

function ofFinding({ severity, message, nodeName, workflow, credential, apiKey, kind }: Finding): AttentionItem {
  const tone = severity === 'error' ? 'error' : 'waiting';
  const title = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}`;
  const item = { tone, title, ...(nodeName && { text: `Node ${nodeName}.` }) } as const;
  if (workflow) return { ...item, to: `/workflows/${workflow.id}` };
  if (credential) return { ...item, to: '/credentials' };
  if (apiKey) return { ...item, to: '/keys' };
  if (kind === 'packageFailed') return { ...item, to: '/packages' };
  return kind.startsWith('queue') ? { ...item, to: '/executions', search: { status: 'new' } } : item;
}

function ofWorker({
  hostname,
  pid,
  loopLagMs,
  memoryBytes,
  memoryLimitBytes,
}: NonNullable<Facts['workers']>[number]): AttentionItem[] {
  const name = `${hostname}, process ${pid}`;
  if (loopLagMs !== null && loopLagMs > lateLoopMs) {
    return [
      { tone: 'waiting', title: 'A worker is busy', text: `${name}: its event loop was late by ${formatDuration(loopLagMs)}.` },
    ];
  }
  const share = memoryBytes !== null && memoryLimitBytes !== null ? memoryBytes / memoryLimitBytes : 0;
  if (share < 0.9) return [];
  return [
    { tone: 'waiting', title: 'A worker is short of memory', text: `${name} uses ${Math.round(share * 100)}% of its limit.` },
  ];
}

function ofQueue({ oldestQueuedAt, queued }: NonNullable<Facts['queue']>, now: number): AttentionItem[] {
  const age = oldestQueuedAt === null ? 0 : now - Date.parse(oldestQueuedAt);
  if (age <= oldQueueMs) return [];
  return [
    {
      tone: 'error',
      title: `The oldest of ${formatCount(queued)} queued executions has waited for ${formatDuration(age)}`,
      text: 'Add workers, or raise their concurrency.',
      to: '/executions',
      search: { status: 'new' },
    },
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
