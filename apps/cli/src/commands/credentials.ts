import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function credentialsCommand(terminal: Terminal): Command {
  const importFile = new Command('import')
    .description(
      'import credentials from a file: a JSON array of {id?, name, type, data, projectId?}; a repetition updates them',
    )
    .argument('<file>', 'path of the JSON file; - reads it from standard input')
    .requiredOption('--managed', 'mark them as managed: the API cannot update them')
    .option('--json', 'print JSON', false)
    .action(async (file: string, options: { json: boolean }) =>
      (await import('../administration/import-credentials.ts')).importCredentials(file, options, terminal),
    );
  const types = new Command('types')
    .description('print the credential types of this build and of installed packages, with the fields of their data')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) =>
      (await import('../administration/list-credential-types.ts')).listCredentialTypes(options, terminal),
    );
  return new Command('credentials').description('administer credentials').addCommand(importFile).addCommand(types);
}
