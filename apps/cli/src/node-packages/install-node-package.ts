import { readEnv, toConfig } from '@sluice/config';
import { errorMessage } from '@sluice/domain';
import { isPackageName, type NodePackages } from '@sluice/node-packages';
import { confirmed } from '../confirmed.ts';
import { printable, type Terminal } from '../terminal.ts';
import { loadPackages } from './load-packages.ts';
import { findInRegistry, installWithNpm, type RegistryPackage, uninstallWithNpm } from './npm.ts';
import { openPackagesFolder, type PackagesFolder } from './packages-folder.ts';

export interface InstallOptions {
  /** Whether to skip the confirmation. */
  yes: boolean;
  json: boolean;
}

/** `<name>` or `<name>@<version, range, or tag>`; not a URL, file, or alias. */
const packageSpec = /^((?:@[^@/]+\/)?[^@/]+)(?:@([\w.^~<>=*+-]+))?$/;

/**
 * Installs an exact version of a package from the npm registry into the folder of node packages, or
 * replaces the installed version. Shows the license and checksum first and asks for confirmation.
 * Does not run install scripts. If the service rejects the package, removes it or restores the
 * previous version, and throws an `Error`.
 */
export async function installNodePackage(spec: string, options: InstallOptions, terminal: Terminal): Promise<void> {
  const name = nameIn(spec);
  const folder = await openPackagesFolder();
  const registryPackage = await findInRegistry(spec, folder.path);
  await install(folder, registryPackage, options, terminal);
  if (!folder.allows(name))
    terminal.warn(printable(`SLUICE_NODES_ALLOW does not name ${name}: without it, the package is not loaded`));
}

/**
 * Updates all installed packages, or the named one, to the newest versions; does not update their
 * libraries. Skips packages that npm installed under an alias, from a file, or from a repository,
 * because the registry may have an unrelated package with the same name. Throws an `Error` if an
 * update fails, or if the named package is not installed or would be skipped.
 */
export async function updateNodePackages(name: string | undefined, options: InstallOptions, terminal: Terminal): Promise<void> {
  const folder = await openPackagesFolder();
  if (name !== undefined) requireInstalled(folder, name);
  for (const one of name === undefined ? await folder.nodePackages() : [name]) {
    const source = sourceOutsideRegistry(folder, one);
    if (source !== undefined) {
      const reason = `${one} was installed from ${source}: update it with npm in ${folder.path}`;
      if (name !== undefined) throw new Error(reason);
      terminal.warn(printable(reason));
      continue;
    }
    const newest = await findInRegistry(one, folder.path);
    // Reopened, because an update may have added libraries.
    if (newest.version !== folder.installed.get(one)) await install(await openPackagesFolder(), newest, options, terminal);
    else print(terminal, options, { name: one, version: newest.version }, [`${one} ${newest.version} is the newest version`]);
  }
}

/** Removes an installed package. Throws an `Error` if npm did not install it here. */
export async function removeNodePackage(name: string, options: { json: boolean }, terminal: Terminal): Promise<void> {
  const folder = await openPackagesFolder();
  requireInstalled(folder, name);
  await uninstallWithNpm([name], folder.path);
  print(terminal, options, { name }, [`${name} was removed; restart every API and worker process`]);
}

async function install(
  folder: PackagesFolder,
  registryPackage: RegistryPackage,
  { yes, json }: InstallOptions,
  terminal: Terminal,
): Promise<void> {
  const { name, version, peers, license = null, integrity } = registryPackage;
  const before = folder.installed.get(name);
  if (!json) for (const line of description(registryPackage, before)) terminal.line(printable(line));
  if (registryPackage.deprecated)
    terminal.warn(printable(`the author has deprecated this version: ${registryPackage.deprecated}`));
  if (
    !yes &&
    !(await confirmed(`Install ${printable(name)} ${printable(version)}? Its code runs with all privileges of the service.`))
  )
    throw new Error('nothing was installed');
  const added = [...peers].filter(([peer]) => !folder.installed.has(peer));
  await installWithNpm([`${name}@${version}`, ...added.map(([peer, range]) => `${peer}@${range}`)], folder.path);
  try {
    const { nodeTypes, credentialTypes, skipped } = await checkInstalled(name, terminal);
    for (const reason of skipped) terminal.warn(printable(`not loaded: ${reason}`));
    print(terminal, { json }, { name, version, license, integrity, nodeTypes, credentialTypes, skipped }, [
      ...nodeTypes.map((type) => `  node        ${type}`),
      ...credentialTypes.map((type) => `  credential  ${type}`),
      `${name} ${version} is installed; restart every API and worker process`,
    ]);
  } catch (error) {
    const outcome = await rollBack(folder, name, new Map(added)).then(
      () => (before === undefined ? 'was removed' : `was replaced by ${before}`),
      (failure: unknown) =>
        `is still in ${folder.path}: undo it with \`npm ${before === undefined ? 'uninstall' : 'install'} ${name}${before === undefined ? '' : `@${before}`}\` there (${errorMessage(failure)})`,
    );
    throw new Error(`${name} ${version} cannot be loaded and ${outcome}: ${errorMessage(error)}`, { cause: error });
  }
}

/** Loads an installed package as the service does. Throws an `Error` if it is rejected. */
async function checkInstalled(name: string, terminal: Terminal): Promise<NodePackages['packages'][number]> {
  const { nodePackages } = toConfig(readEnv());
  const { packages, failures } = await loadPackages({ nodePackages: { ...nodePackages, allow: [name] } }, terminal);
  const loaded = packages.find((it) => it.name === name);
  if (loaded) return loaded;
  throw new Error(failures.find((failure) => failure.package === name)?.reason ?? 'it has no node types');
}

/** Restores the previous version, and removes the libraries of the new one. */
async function rollBack(folder: PackagesFolder, name: string, libraries: ReadonlyMap<string, string>): Promise<void> {
  const before = folder.installed.get(name);
  if (before !== undefined) await installWithNpm([`${name}@${before}`], folder.path);
  const leftover = [...(before === undefined ? [name] : []), ...libraries.keys()];
  if (leftover.length > 0) await uninstallWithNpm(leftover, folder.path);
}

function print(terminal: Terminal, { json }: { json: boolean }, document: object, lines: readonly string[]): void {
  if (json) terminal.line(JSON.stringify(document));
  else for (const line of lines) terminal.line(printable(line));
}

function description({ name, version, license, integrity, peers }: RegistryPackage, before: string | undefined): string[] {
  return [
    `${name} ${before === undefined ? version : `${before} → ${version}`}`,
    `  license    ${license ?? 'not specified: ask the author before you use it'}`,
    `  integrity  ${integrity}`,
    ...(peers.size > 0 ? [`  needs      ${[...peers].map((peer) => peer.join(' ')).join(', ')}`] : []),
  ];
}

function nameIn(spec: string): string {
  const name = packageSpec.exec(spec)?.[1];
  if (name !== undefined && isPackageName(name)) return name;
  throw new Error(`${spec} does not name a package in the npm registry: use <name> or <name>@<version>`);
}

/** The npm specifier of an alias, a file, or a repository; `undefined` for a registry package. */
function sourceOutsideRegistry({ installed }: PackagesFolder, name: string): string | undefined {
  const specifier = installed.get(name) ?? '';
  return /[:/]/.test(specifier) ? specifier : undefined;
}

function requireInstalled({ installed, path }: PackagesFolder, name: string): void {
  if (!installed.has(name)) throw new Error(`npm has not installed ${name} in ${path}`);
}
