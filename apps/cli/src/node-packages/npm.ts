import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isJsonObject, type JsonValue } from '@sluice/domain';

const execute = promisify(execFile);
/** npm is ended at a longer output. */
const maxOutputBytes = 4 * 1024 * 1024;

/** A package version in the registry. */
export interface RegistryPackage {
  name: string;
  version: string;
  /** SPDX expression; `undefined` if the author does not specify one. */
  license?: string | undefined;
  /** Checksum of the archive; npm verifies it. */
  integrity: string;
  /** Name → range of the peer dependencies that the service does not provide. */
  peers: ReadonlyMap<string, string>;
  /** The author's reason not to use this version. */
  deprecated?: string | undefined;
}

/** Modules that the service provides to packages. */
const providedModules: ReadonlySet<string> = new Set(['n8n-workflow', 'n8n-core', '@sluice/node-sdk']);

/**
 * @param spec `<name>` or `<name>@<version, range, or tag>`. Throws an `Error` if the registry has
 * no such package.
 */
export async function findInRegistry(spec: string, folder: string): Promise<RegistryPackage> {
  const fields = ['name', 'version', 'license', 'dist.integrity', 'peerDependencies', 'peerDependenciesMeta', 'deprecated'];
  const manifests = JSON.parse(await npm(['view', '--json'], [spec, ...fields], folder)) as JsonValue;
  // For a range, npm prints all matching versions, the newest last.
  const facts = Array.isArray(manifests) ? manifests.at(-1) : manifests;
  if (!isJsonObject(facts)) throw new Error(`the registry has no package ${spec}`);
  const { name, version, license, deprecated, 'dist.integrity': integrity, peerDependencies, peerDependenciesMeta } = facts;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`the registry has no package ${spec}`);
  if (typeof integrity !== 'string') throw new Error(`the registry has no checksum for ${name}@${version}`);
  const peers = requiredPeers(peerDependencies, peerDependenciesMeta);
  for (const [peer, range] of peers)
    if (!isFromRegistry(peer, range))
      throw new Error(`${name}@${version} needs ${peer}@${range}, which is not in the registry`);
  return {
    name,
    version,
    license: typeof license === 'string' ? license : undefined,
    integrity,
    peers,
    deprecated: typeof deprecated === 'string' ? deprecated : undefined,
  };
}

function requiredPeers(peers: JsonValue | undefined, meta: JsonValue | undefined): ReadonlyMap<string, string> {
  const isOptional = (name: string) => {
    const entry = isJsonObject(meta) ? meta[name] : undefined;
    return isJsonObject(entry) && entry['optional'] === true;
  };
  const entries = isJsonObject(peers) ? Object.entries(peers) : [];
  return new Map(
    entries.flatMap(([name, range]) =>
      typeof range === 'string' && !providedModules.has(name) && !isOptional(name) ? [[name, range] as const] : [],
    ),
  );
}

/** Authors can also write a URL, a file, or a repository as a range; these have no checksum. */
function isFromRegistry(name: string, range: string): boolean {
  return /^(?:@[^@/\s]+\/)?[a-z0-9][^@/\s]*$/i.test(name) && !/[:/]/.test(range);
}

/**
 * Installs exact versions into a folder. Does not run install scripts; npm verifies the checksum of
 * each archive.
 */
export async function installWithNpm(specs: readonly string[], folder: string): Promise<void> {
  await npm(['install', '--save-exact', ...installOptions], specs, folder);
}

export async function uninstallWithNpm(names: readonly string[], folder: string): Promise<void> {
  await npm(['uninstall', ...installOptions], names, folder);
}

/**
 * Dependencies of packages come from the registry only: others have no checksum, and git can run a
 * program that a repository names. npm ignores some of these options before version 11.14.
 */
const registryOnly = ['git', 'remote', 'file', 'directory'].map((source) => `--allow-${source}=root`);

/** Callers name peer dependencies: npm would also install those that the service provides. */
const installOptions = ['--omit=dev', '--legacy-peer-deps', ...registryOnly];

const commonOptions = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Runs npm in a folder and resolves to its output. `values` are never parsed as options. Rejects
 * with an `Error` that contains npm's message.
 */
async function npm(command: readonly string[], values: readonly string[], folder: string): Promise<string> {
  const args = [...command, ...commonOptions, '--prefix', folder, '--', ...values];
  const running = execute('npm', args, { cwd: folder, maxBuffer: maxOutputBytes });
  running.child.stdin?.end();
  try {
    return (await running).stdout;
  } catch (error) {
    const { code, message, stderr } = error as NodeJS.ErrnoException & { stderr: string };
    if (code === 'ENOENT') throw new Error('npm is required but was not found: https://nodejs.org/en/download');
    // Node.js reports that npm did not start, or was ended, by a code that is a string.
    throw new Error(`npm ${command[0]} failed: ${typeof code === 'string' ? message : reasonIn(stderr)}`, { cause: error });
  }
}

/** npm's message without its prefixes and without the path of its log file. */
function reasonIn(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const reasons = lines.filter((line) => line !== '' && !line.startsWith('A complete log') && !line.startsWith('npm '));
  return reasons.slice(0, 5).join(' ') || 'it gave no reason';
}
