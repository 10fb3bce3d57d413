import { runOnThread, type TaskOptions, taskModule } from '@sluice/nodes-base/node-tools';
import type { CheckedJson, JsonCheck } from './check-json-task.ts';

const module = taskModule('check-json-task', import.meta.url);

/**
 * Reads and checks a model's JSON. Throws an error if that takes too much time or memory; its
 * message is written to follow a colon.
 */
export async function checkJson(input: CheckedJson, options: Omit<TaskOptions, 'size'>): Promise<JsonCheck> {
  const size = 'text' in input ? input.text.length : 0;
  const [check] = await runOnThread<JsonCheck>(module, input, { ...options, size });
  return check ?? { problems: [] };
}
