import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'The node fails on purpose.',
  parameters: { category: 'throwError', throwErrorType: 'NodeOperationError', throwErrorMessage: 'a failure to try out' },
  inputs: [[{}]],
  error: 'a failure to try out',
};
