import { type Item, isJsonObject, type JsonObject, type JsonValue, type NodeType } from '@sluice/node-sdk';
import { stringOf } from '../../shared/coerced-text.ts';

/** Item for a manual run: example data of a failed execution. */
const sample: Item = {
  json: {
    execution: {
      id: '231',
      url: 'https://sluice.example.com/api/v1/executions/231',
      retryOf: '34',
      error: {
        message: 'an example of a message',
        name: 'NodeOperationError',
        node: { name: 'Node With Error' },
        stack: 'NodeOperationError: an example of a message\n    at Node With Error',
      },
      lastNodeExecuted: 'Node With Error',
      mode: 'trigger',
    },
    workflow: { id: 'a-workflow', name: 'An Example' },
  },
};

/** Start of an error workflow. */
export const errorTrigger: NodeType = {
  description: {
    displayName: 'Error Trigger',
    name: 'error-trigger',
    group: ['trigger'],
    version: 1,
    description:
      'Starts when an execution of a workflow that uses this workflow as its error workflow fails, crashes, or times out; without such a setting, when an execution of its own workflow does. Manual runs and executions of error workflows start no error workflow.',
    defaults: { name: 'Error Trigger' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    properties: [],
    icon: 'fa:bug',
    iconColor: 'blue',
    maxNodes: 1,
  },
  execute(context) {
    const failures = context.items().flatMap((item) => failureOf(item) ?? []);
    return [failures.length > 0 ? failures : [sample]];
  },
};

/** `undefined` if the item does not describe a failure. */
function failureOf(item: Item): Item | undefined {
  const { execution } = item.json;
  if (execution === undefined) return undefined;
  if (!isJsonObject(execution) || !isJsonObject(execution['error'])) return item;
  return { ...item, json: { ...item.json, execution: { ...execution, error: shownError(execution['error']) } } };
}

/**
 * The form in which error workflows read an error: `node.name`, `stack`, and a response's status as
 * `httpCode`. The stack contains the node name; the location in the service's code is in the logs.
 */
function shownError(error: JsonObject): JsonObject {
  const { name = 'Error', message = '', node } = error;
  return {
    ...error,
    ...(typeof node === 'string' && { node: { name: node } }),
    ...httpCodeOf(error['details']),
    stack: [`${name}: ${message}`, ...(typeof node === 'string' ? [`    at ${node}`] : [])].join('\n'),
  };
}

function httpCodeOf(details: JsonValue | undefined): { httpCode?: string } {
  const status = isJsonObject(details) ? details['status'] : undefined;
  return typeof status === 'number' ? { httpCode: stringOf(status) } : {};
}
