import type { Item } from '@sluice/domain';
import { type CodeRequest, failedItem } from '@sluice/node-sdk';
import type { CodeRunRequest, CodeRunResult } from '@sluice/sandbox';
import type { ContextParts } from './execution-context.ts';

/**
 * Runs user code in the sandbox and stores the files that it created. Resolves to its items, with a
 * failed item in place of each item on which the code failed, and to the static data that it
 * changed. Console output is added to the logs, even if the code throws.
 */
export async function runUserCode(
  { execution, task, scope, logs, continueOnFail }: ContextParts,
  { source, language, mode }: CodeRequest,
): Promise<Pick<CodeRunResult, 'items' | 'staticData'>> {
  const staticData = () => execution.staticData.of(task.node.name);
  try {
    const readFile: CodeRunRequest['readFile'] = (file, maxBytes) => execution.request.binary.read(file, maxBytes);
    const request = { source, ...(language && { language }), mode, scope, staticData, readFile, continueOnFail };
    const result = await execution.ports.sandbox.runCode(request, execution.request.signal);
    logs.push(...result.logs);
    scope.addCustomData(result.customData);
    for (const { target, key, content, description } of result.files ?? []) {
      execution.request.signal.throwIfAborted();
      target[key] = await execution.request.binary.store(content, description);
    }
    return { items: withFailures(result), ...(result.staticData && { staticData: result.staticData }) };
  } catch (error) {
    logs.push(...logsOf(error));
    throw error;
  }
}

function withFailures({ items, failures }: CodeRunResult): Item[] {
  if (!failures) return items;
  return items.map((item, index) => {
    const failure = failures.get(index);
    return failure ? failedItem(failure, failure.itemIndex ?? index) : item;
  });
}

/** Console output of user code before it failed. */
function logsOf(error: unknown): string[] {
  const logs = error instanceof Error && 'logs' in error ? error.logs : undefined;
  return Array.isArray(logs) ? logs : [];
}
