import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function credentialsCommand(terminal: Terminal): Command {
  const importFile = jsonCommand(
    'import',
    'import credentials from a file: a JSON array of {id?, name, type, data, projectId?}; existing ones are left unchanged',
  )
    .argument('<file>', 'path of the JSON file; - reads standard input')
    .option('--managed', 'mark the credentials as managed: only another import can update them', false)
    .action(async (file: string, options: { managed: boolean; json: boolean }) =>
      (await import('../administration/import-credentials.ts')).importCredentials(file, options, terminal),
    );
  const types = jsonCommand(
    'types',
    'print the built-in credential types and those of installed packages, with their fields',
  ).action(async (options: { json: boolean }) =>
    (await import('../administration/list-credential-types.ts')).listCredentialTypes(options, terminal),
  );
  return new Command('credentials').description('manage credentials').addCommand(importFile).addCommand(types);
}
