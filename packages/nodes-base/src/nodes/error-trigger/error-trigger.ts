import type { Item, NodeType } from '@sluice/node-sdk';

/** Item of a manual run: an example of the data for a failed execution. */
const sample: Item = {
  json: {
    execution: {
      id: '231',
      url: 'https://sluice.example.com/api/v1/executions/231',
      retryOf: '34',
      error: { message: 'an example of a message' },
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
      'Starts when an execution of a workflow that names this one as its error workflow fails, crashes, or times out; without such a setting, when one of its own workflow does. Manual runs and executions of error workflows start no error workflow.',
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
    const failures = context.items().filter(({ json }) => 'execution' in json);
    return [failures.length > 0 ? [...failures] : [sample]];
  },
};
