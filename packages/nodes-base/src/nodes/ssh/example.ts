import type { NodeExample } from '../../testing/node-example.ts';

export const example: NodeExample = {
  shows: 'A command, its exit code, and its output.',
  needs: 'A machine with the folder "/srv/app"',
  parameters: { resource: 'command', operation: 'execute', command: 'git pull', cwd: '/srv/app' },
  inputs: [[{}]],
  outputs: [[{ code: 0, signal: null, stdout: 'Already up to date.', stderr: '' }]],
};
