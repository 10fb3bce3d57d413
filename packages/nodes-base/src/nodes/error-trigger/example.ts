import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A manual run outputs an example of a failed execution.',
  parameters: {},
  outputs: [
    [
      {
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
    ],
  ],
};
