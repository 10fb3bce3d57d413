import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function variablesCommand(terminal: Terminal): Command {
  const list = jsonCommand('list', 'print all variables').action(async (options: { json: boolean }) =>
    (await load()).listVariables(options, terminal),
  );
  const set = jsonCommand('set', 'create a variable or change its value; workflows see it within seconds')
    .argument('<key>', '1 to 50 letters, digits, or "_"')
    .argument('<value>', 'at most 1,000 characters; not for secrets, because every workflow author can read it')
    .action(async (key: string, value: string, options: { json: boolean }) =>
      (await load()).setVariable(key, value, options, terminal),
    );
  const remove = jsonCommand('delete', 'delete a variable')
    .argument('<key>')
    .action(async (key: string, options: { json: boolean }) => (await load()).deleteVariable(key, options, terminal));
  return new Command('variables')
    .description('manage the variables that expressions read as $vars')
    .addCommand(list)
    .addCommand(set)
    .addCommand(remove);
}

const load = () => import('../administration/variables.ts');
