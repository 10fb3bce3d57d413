import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description('start everything: Postgres and Redis (unless their URLs are set), the API, and the workers')
    .action(async () => (await import('../up/up.ts')).up(terminal));
}
