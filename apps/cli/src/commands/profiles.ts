import { Command } from 'commander';
import type { AddProfileOptions } from '../remote/manage-profiles.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

const load = () => import('../remote/manage-profiles.ts');

/** Commands for profiles: the servers that a user connects to, with their API keys. */
export function profilesCommand(terminal: Terminal): Command {
  const add = jsonCommand(
    'add',
    'add a server and its API key, which is read from standard input; the first profile is the default',
  )
    .argument('<name>', '1 to 64 letters, digits, _, ., or -')
    .requiredOption('--url <url>', 'address of the server, such as https://sluice.example.com')
    .option('--key <key>', 'the API key; other users of this machine may see it while the command runs')
    .option('--header <name>', 'header for the key, if the server has set API_KEY_HEADER')
    .action(async (name: string, options: AddProfileOptions) => (await load()).addProfile(name, options, terminal));
  const list = jsonCommand('list', 'print the profiles, without keys').action(async (options: { json: boolean }) =>
    (await load()).listProfiles(options, terminal),
  );
  const use = jsonCommand('use', 'make a profile the default')
    .argument('<name>')
    .action(async (name: string, options: { json: boolean }) => (await load()).useProfile(name, options, terminal));
  const remove = jsonCommand('remove', 'remove a profile')
    .argument('<name>')
    .action(async (name: string, options: { json: boolean }) => (await load()).removeProfile(name, options, terminal));
  return new Command('profiles')
    .description('manage the servers that the commands for executions and workflows connect to')
    .addCommand(add)
    .addCommand(list)
    .addCommand(use)
    .addCommand(remove);
}
