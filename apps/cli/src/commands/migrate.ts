import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function migrateCommand(terminal: Terminal): Command {
  return new Command('migrate')
    .description('run pending database migrations (needs DATABASE_URL)')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => (await import('../administration/migrate.ts')).migrate(options, terminal));
}
