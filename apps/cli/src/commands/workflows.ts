import { Command } from 'commander';
import type { ExportWorkflowsOptions } from '../administration/export-workflows.ts';
import type { ImportWorkflowsOptions } from '../administration/import-workflows.ts';
import type { DiffOptions } from '../remote/diff-workflow.ts';
import type { ServerOptions } from '../remote/server.ts';
import type { ListWorkflowsOptions, RunOptions } from '../remote/workflows.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand, serverCommand } from './base-commands.ts';

const pathsHelp = 'JSON files or folders that contain them; - reads standard input';

export function workflowsCommand(terminal: Terminal): Command {
  return new Command('workflows')
    .description(
      'import, export, and check workflows in the de-facto JSON format; list, run, activate, and compare workflows on a server',
    )
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(runCommand(terminal))
    .addCommand(activateCommand(terminal))
    .addCommand(deactivateCommand(terminal))
    .addCommand(diffCommand(terminal));
}

const remote = () => import('../remote/workflows.ts');

function listCommand(terminal: Terminal): Command {
  return serverCommand('list', 'print the workflows on a server, newest first')
    .option('--name <text>', 'only workflows whose name contains the text')
    .option('--active', 'only active workflows')
    .option('--limit <count>', 'maximum number of workflows', '20')
    .action(async (options: ListWorkflowsOptions) => (await remote()).listWorkflows(options, terminal));
}

function runCommand(terminal: Terminal): Command {
  return serverCommand('run', 'run a workflow on a server and wait until the execution ends')
    .argument('<id>', 'ID of the workflow')
    .option('--until <node>', 'name of the last node to run')
    .option('--body <file>', 'JSON file with the body of the request (docs/workflows.md); - reads standard input')
    .option('--no-wait', 'print the ID of the execution without waiting')
    .action(async (id: string, options: RunOptions) => (await remote()).runWorkflow(id, options, terminal));
}

function activateCommand(terminal: Terminal): Command {
  return serverCommand('activate', 'activate a workflow on a server')
    .argument('<id>', 'ID of the workflow')
    .option('--version <version>', 'number or ID of the version to activate; default: the newest')
    .action(async (id: string, options: ServerOptions & { version?: string }) =>
      (await remote()).activateWorkflow(id, options, terminal),
    );
}

function deactivateCommand(terminal: Terminal): Command {
  return serverCommand('deactivate', 'deactivate a workflow on a server')
    .argument('<id>', 'ID of the workflow')
    .action(async (id: string, options: ServerOptions) => (await remote()).deactivateWorkflow(id, options, terminal));
}

function diffCommand(terminal: Terminal): Command {
  return serverCommand('diff', 'compare the newest version of a workflow on a server with the active version or with a file')
    .argument('<id>', 'ID of the workflow')
    .option('--file <path>', 'JSON file to compare with')
    .option('--from <version>', 'number or ID of the version on the left')
    .option('--to <version>', 'number or ID of the version on the right; default: the newest')
    .action(async (id: string, options: DiffOptions) =>
      (await import('../remote/diff-workflow.ts')).diffWorkflow(id, options, terminal),
    );
}

function importCommand(terminal: Terminal): Command {
  return jsonCommand('import', 'import workflows from files, and print a report; a workflow whose ID exists is updated')
    .argument('<path...>', pathsHelp)
    .option('--project <id>', 'ID of the project for new workflows; default: the personal project of the author')
    .option('--user <email>', 'email or ID of the author; default: the owner')
    .option('--new-ids', 'give every workflow a new ID', false)
    .action(async (paths: string[], options: ImportWorkflowsOptions) =>
      (await import('../administration/import-workflows.ts')).importWorkflows(paths, options, terminal),
    );
}

function exportCommand(terminal: Terminal): Command {
  return new Command('export')
    .description('write workflows in the format that `import` reads: those with the given IDs, or all')
    .argument('[id...]', 'IDs of workflows')
    .option('--output <folder>', 'write one file per workflow to this folder; default: one JSON array on standard output')
    .option('--project <id>', 'only the workflows of this project')
    .action(async (ids: string[], options: ExportWorkflowsOptions) =>
      (await import('../administration/export-workflows.ts')).exportWorkflows(ids, options, terminal),
    );
}

function checkCommand(terminal: Terminal): Command {
  return jsonCommand('check', 'report which workflows in files can be imported and run, and what is missing; stores nothing')
    .argument('<path...>', pathsHelp)
    .action(async (paths: string[], options: { json: boolean }) =>
      (await import('../administration/check-workflows.ts')).checkWorkflows(paths, options, terminal),
    );
}
