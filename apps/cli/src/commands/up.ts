import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description('start everything: Postgres and Redis (unless their URLs are set), the API and the workers')
    .action(async () => {
      const { up } = await import('../up/up.ts');
      await up(terminal);
    });
}
