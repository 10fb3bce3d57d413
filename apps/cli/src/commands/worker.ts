import { Command } from 'commander';
import { runApp } from '../entries.ts';

export function workerCommand(): Command {
  return new Command('worker').description('run one worker (needs DATABASE_URL and REDIS_URL)').action(() => runApp('worker'));
}
