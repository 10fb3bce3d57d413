import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A program that the operator allows prints its argument.',
  needs: 'EXECUTE_COMMAND_ALLOW=/bin/echo',
  notes:
    'Allow programs that do one thing. A program that starts others, such as `/usr/bin/env`, `/bin/sh` or another shell, `xargs`, `find` or an interpreter, allows every command: its arguments are not checked.',
  parameters: { command: "/bin/echo 'Hello Ada'" },
  inputs: [[{}]],
  outputs: [[{ exitCode: 0, stderr: '', stdout: 'Hello Ada' }]],
};
