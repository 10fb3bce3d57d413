import { Command } from 'commander';
import type { Terminal } from '../terminal.ts';

export function variablesCommand(terminal: Terminal): Command {
  const list = new Command('list')
    .description('print all variables')
    .option('--json', 'print JSON', false)
    .action(async (options: { json: boolean }) => (await load()).listVariables(options, terminal));
  const set = new Command('set')
    .description('create a variable or change its value; workflows see it within seconds')
    .argument('<key>', '1 to 50 letters, digits, or "_"')
    .argument('<value>', 'at most 1,000 characters; not for secrets, because every workflow author can read it')
    .option('--json', 'print JSON', false)
    .action(async (key: string, value: string, options: { json: boolean }) =>
      (await load()).setVariable(key, value, options, terminal),
    );
  const remove = new Command('delete')
    .description('delete a variable')
    .argument('<key>')
    .option('--json', 'print JSON', false)
    .action(async (key: string, options: { json: boolean }) => (await load()).deleteVariable(key, options, terminal));
  return new Command('variables')
    .description('manage the variables that expressions read as $vars')
    .addCommand(list)
    .addCommand(set)
    .addCommand(remove);
}

const load = () => import('../administration/variables.ts');
