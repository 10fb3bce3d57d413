import { Command } from 'commander';
import { runApp } from '../entries.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function upCommand(terminal: Terminal): Command {
  return new Command('up')
    .description('start everything: Postgres and Redis (unless their URLs are set), the API, and the workers')
    .action(async () => (await import('../up/up.ts')).up(terminal));
}

export function apiCommand(): Command {
  return new Command('api').description('run the public API (needs DATABASE_URL and REDIS_URL)').action(() => runApp('api'));
}

export function workerCommand(): Command {
  return new Command('worker').description('run one worker (needs DATABASE_URL and REDIS_URL)').action(() => runApp('worker'));
}

export function migrateCommand(terminal: Terminal): Command {
  return jsonCommand('migrate', 'run pending database migrations (needs DATABASE_URL)').action(
    async (options: { json: boolean }) => (await import('../administration/migrate.ts')).migrate(options, terminal),
  );
}
