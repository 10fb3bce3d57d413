import { Command } from 'commander';
import type { InstallOptions } from '../node-packages/install-node-package.ts';
import type { Terminal } from '../terminal.ts';
import { jsonCommand } from './base-commands.ts';

export function nodesCommand(terminal: Terminal): Command {
  return new Command('nodes')
    .description('create, check, list, install, update, and remove node packages')
    .addCommand(newCommand(terminal))
    .addCommand(checkCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(installCommand(terminal))
    .addCommand(updateCommand(terminal))
    .addCommand(removeCommand(terminal));
}

function newCommand(terminal: Terminal): Command {
  return new Command('new')
    .description('create a package with a node type, a credential type, and a test, in a folder of the same name')
    .argument('<name>', 'name of the npm package, such as sluice-nodes-acme or @acme/nodes')
    .option('--folder <folder>', 'parent folder of the new package', '.')
    .action(async (name: string, { folder }: { folder: string }) =>
      (await import('../node-packages/new-node-package.ts')).newNodePackage(name, folder, terminal),
    );
}

function checkCommand(terminal: Terminal): Command {
  return jsonCommand('check', 'load a package as the service does, which runs its code, and report its problems')
    .argument('<folder>', 'folder that contains package.json')
    .action(async (folder: string, options: { json: boolean }) =>
      (await import('../node-packages/check-node-package.ts')).checkNodePackage(folder, options, terminal),
    );
}

function listCommand(terminal: Terminal): Command {
  return jsonCommand(
    'list',
    'list the packages in SLUICE_NODES_DIR with their types or the reason why they are not loaded; runs their code',
  ).action(async (options: { json: boolean }) =>
    (await import('../node-packages/list-node-packages.ts')).listNodePackages(options, terminal),
  );
}

const loadInstall = () => import('../node-packages/install-node-package.ts');

function installCommand(terminal: Terminal): Command {
  return jsonCommand(
    'install',
    'install a package from the npm registry into SLUICE_NODES_DIR, after showing its license and checksum; needs npm, does not run install scripts, and loads the package to check its types',
  )
    .argument('<package>', 'name or name@version')
    .option('--yes', 'install without asking for confirmation', false)
    .action(async (spec: string, options: InstallOptions) => (await loadInstall()).installNodePackage(spec, options, terminal));
}

function updateCommand(terminal: Terminal): Command {
  return new Command('update')
    .description('update an installed package, or all of them, to the newest version; needs npm')
    .argument('[name]')
    .option('--yes', 'update without asking for confirmation', false)
    .option('--json', 'print JSON, one line per package', false)
    .action(async (name: string | undefined, options: InstallOptions) =>
      (await loadInstall()).updateNodePackages(name, options, terminal),
    );
}

function removeCommand(terminal: Terminal): Command {
  return jsonCommand('remove', 'remove an installed package; needs npm')
    .argument('<name>')
    .action(async (name: string, options: { json: boolean }) =>
      (await loadInstall()).removeNodePackage(name, options, terminal),
    );
}
