import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function rotateMasterCommand(terminal: Terminal): Command {
  return new Command('rotate-master')
    .description(
      'rewrap every credential with the first master key in ENCRYPTION_KEY (or master.key); safe to interrupt and repeat',
    )
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) =>
      (await import('../administration/rotate-master.ts')).rotateMaster(options, terminal),
    );
}
