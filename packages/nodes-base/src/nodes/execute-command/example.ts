import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A program that the operator allows prints its argument.',
  needs: 'EXECUTE_COMMAND_ALLOW=/bin/echo',
  parameters: { command: "/bin/echo 'Hello Ada'" },
  inputs: [[{}]],
  outputs: [[{ exitCode: 0, stderr: '', stdout: 'Hello Ada' }]],
};
