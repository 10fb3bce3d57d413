import { type ExecuteContext, isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { runUnlessSmall, taskModule } from '../threads/work-threads.ts';
import { task } from './service-xml-task.ts';

/**
 * Parses a service's XML response, a large one on a work thread. Repeated elements become lists.
 * Empty if it has no element with content; throws an `Error` if it is not XML.
 */
export async function readServiceXml(
  { workflow, signal }: Pick<ExecuteContext, 'workflow' | 'signal'>,
  text: string,
): Promise<JsonObject> {
  const options = { owner: workflow, signal, size: text.length };
  const module = taskModule('service-xml-task', import.meta.url);
  const [parsed] = await runUnlessSmall<JsonValue>({ module, task }, text, options);
  return isJsonObject(parsed) ? parsed : {};
}
