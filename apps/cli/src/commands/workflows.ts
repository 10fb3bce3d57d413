import { Command } from 'commander';
import type { ExportWorkflowsOptions } from '../administration/export-workflows.ts';
import type { ImportWorkflowsOptions } from '../administration/import-workflows.ts';
import type { Terminal } from '../terminal.ts';

const pathsHelp = 'JSON files, or folders of them; - reads standard input';

export function workflowsCommand(terminal: Terminal): Command {
  return new Command('workflows')
    .description('import, export and check workflows in the de-facto JSON format')
    .addCommand(importCommand(terminal))
    .addCommand(exportCommand(terminal))
    .addCommand(checkCommand(terminal));
}

function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description('import the workflows of files; an existing id updates that workflow. Ends with a report')
    .argument('<path...>', pathsHelp)
    .option('--project <id>', 'project of new workflows; default: the personal project of the user')
    .option('--user <email>', 'email or id of the author; default: the owner')
    .option('--new-ids', 'give every workflow a new id', false)
    .option('--json', 'print JSON', false)
    .action(async (paths: string[], options: ImportWorkflowsOptions) => {
      const { importWorkflows } = await import('../administration/import-workflows.ts');
      await importWorkflows(paths, options, terminal);
    });
}

function exportCommand(terminal: Terminal): Command {
  return new Command('export')
    .description('write workflows in the format of `import`: those with the given ids, or all')
    .argument('[id...]', 'ids of workflows')
    .option('--output <folder>', 'a file for each; default: one JSON array on standard output')
    .option('--project <id>', 'only the workflows of this project')
    .action(async (ids: string[], options: ExportWorkflowsOptions) => {
      const { exportWorkflows } = await import('../administration/export-workflows.ts');
      await exportWorkflows(ids, options, terminal);
    });
}

function checkCommand(terminal: Terminal): Command {
  return new Command('check')
    .description('report which workflows in files can be imported and run, and what is missing, by frequency; stores nothing')
    .argument('<path...>', pathsHelp)
    .option('--json', 'print JSON', false)
    .action(async (paths: string[], options: { json: boolean }) => {
      const { checkWorkflows } = await import('../administration/check-workflows.ts');
      await checkWorkflows(paths, options, terminal);
    });
}
