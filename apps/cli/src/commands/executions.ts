import { Command } from 'commander';
import type { ListExecutionsOptions, RetryOptions } from '../remote/executions.ts';
import type { ServerOptions } from '../remote/server.ts';
import type { Terminal } from '../terminal.ts';
import { serverCommand } from './base-commands.ts';

const load = () => import('../remote/executions.ts');

/** Commands for executions on a server; they use its API. */
export function executionsCommand(terminal: Terminal): Command {
  return new Command('executions')
    .description('list, show, follow, stop, and retry executions on a server')
    .addCommand(listCommand(terminal))
    .addCommand(showCommand(terminal))
    .addCommand(tailCommand(terminal))
    .addCommand(stopCommand(terminal))
    .addCommand(retryCommand(terminal));
}

function listCommand(terminal: Terminal): Command {
  return serverCommand('list', 'print executions, newest first')
    .option('--status <status>', 'one status, or several separated by commas')
    .option('--workflow <id>', 'only executions of this workflow')
    .option('--project <id>', 'only executions of this project')
    .option('--since <time>', 'only executions that started at or after this ISO 8601 date or date-time')
    .option('--limit <count>', 'maximum number of executions', '20')
    .action(async (options: ListExecutionsOptions) => (await load()).listExecutions(options, terminal));
}

function showCommand(terminal: Terminal): Command {
  return serverCommand('show', 'print one execution with its node runs')
    .argument('<id>', 'ID of the execution')
    .option('--data', 'also print the data of every node', false)
    .action(async (id: string, options: ServerOptions & { data: boolean }) =>
      (await load()).showExecution(id, options, terminal),
    );
}

function tailCommand(terminal: Terminal): Command {
  return serverCommand('tail', 'follow one execution until it ends, or all executions until interrupted')
    .argument('[id]', 'ID of the execution; default: all')
    .action(async (id: string | undefined, options: ServerOptions) =>
      (await import('../remote/tail-executions.ts')).tailExecutions(id, options, terminal),
    );
}

function stopCommand(terminal: Terminal): Command {
  return serverCommand('stop', 'stop executions')
    .argument('<id...>', 'IDs of executions')
    .action(async (ids: string[], options: ServerOptions) => (await load()).stopExecutions(ids, options, terminal));
}

function retryCommand(terminal: Terminal): Command {
  return serverCommand('retry', 'run a failed execution again, from the node that failed')
    .argument('<id>', 'ID of the execution')
    .option('--latest', 'use the newest version of the workflow', false)
    .option('--no-wait', 'do not wait for the execution to end')
    .action(async (id: string, options: RetryOptions) => (await load()).retryExecution(id, options, terminal));
}
