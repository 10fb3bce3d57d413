import { Command } from 'commander';
import { runApp } from '../entries.ts';

export function apiCommand(): Command {
  return new Command('api').description('run the public API (needs DATABASE_URL and REDIS_URL)').action(() => runApp('api'));
}
