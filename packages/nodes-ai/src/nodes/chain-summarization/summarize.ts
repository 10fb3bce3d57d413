import { filled } from '../../shared/filled-template.ts';
import type { Prompts } from './default-prompts.ts';

export const summarizationMethods = ['map_reduce', 'refine', 'stuff'] as const;
export type SummarizationMethod = (typeof summarizationMethods)[number];

interface SummaryTask {
  method: SummarizationMethod;
  prompts: Prompts;
  ask(prompt: string, signal: AbortSignal): Promise<string>;
  signal: AbortSignal;
}

/** Maximum number of characters in the summaries of one prompt; about 3,000 tokens. */
const maxGroup = 12_000;
/** Maximum number of concurrent model calls. */
const maxConcurrentCalls = 4;
const separator = '\n\n';

/** The summary of several texts. */
export function summarize(texts: readonly string[], task: SummaryTask): Promise<string> {
  if (task.method === 'refine') return refined(texts, task);
  return task.method === 'stuff' ? combined(texts, task, task.signal) : reduced(texts, task);
}

function combined(texts: readonly string[], { prompts, ask }: SummaryTask, signal: AbortSignal): Promise<string> {
  return ask(filled(prompts.prompt, { text: texts.join(separator) }), signal);
}

/** Summarizes each text, and merges the summaries in groups until they fit into one prompt. */
async function reduced(texts: readonly string[], task: SummaryTask): Promise<string> {
  const { prompts, ask } = task;
  let summaries = await someAtOnce(texts, task, (text, signal) => ask(filled(prompts.combineMapPrompt, { text }), signal));
  for (let groups = groupsOf(summaries); groups.length > 1; groups = groupsOf(summaries))
    summaries = await someAtOnce(groups, task, (group, signal) =>
      group.length === 1 ? Promise.resolve(group[0] ?? '') : combined(group, task, signal),
    );
  return combined(summaries, task, task.signal);
}

/**
 * Groups of adjacent summaries that fit one prompt. Each group but the last has two or more, so
 * merging terminates.
 */
export function groupsOf(summaries: readonly string[]): string[][] {
  const groups: string[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const summary of summaries) {
    const group = groups.at(-1);
    length += summary.length + separator.length;
    if (group && (group.length < 2 || length <= maxGroup)) {
      group.push(summary);
      continue;
    }
    groups.push([summary]);
    length = summary.length;
  }
  return groups;
}

async function refined(texts: readonly string[], { prompts, ask, signal }: SummaryTask): Promise<string> {
  let answer: string | undefined;
  for (const text of texts) {
    const isFirst = answer === undefined;
    const template = isFirst ? prompts.refineQuestionPrompt : prompts.refinePrompt;
    answer = await ask(filled(template, { text, existing_answer: answer ?? '' }), signal);
  }
  return answer ?? '';
}

/**
 * Results in order. After a failure, starts no further calls, aborts the running ones, and waits
 * for them.
 */
async function someAtOnce<T>(
  values: readonly T[],
  { signal }: SummaryTask,
  work: (value: T, signal: AbortSignal) => Promise<string>,
): Promise<string[]> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const results: string[] = [];
  let next = 0;
  let error: unknown;
  const worker = async () => {
    while (next < values.length && !failed.signal.aborted) {
      const index = next++;
      try {
        results[index] = await work(values[index] as T, either);
      } catch (cause) {
        if (!failed.signal.aborted) error = cause;
        failed.abort();
      }
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentCalls }, worker));
  if (failed.signal.aborted) throw error;
  return results;
}
