import { spawn } from 'node:child_process';
import { isJsonObject, type JsonValue } from '@sluice/domain';

/** Maximum number of bytes in npm's output that are read. */
const maxOutputBytes = 4 * 1024 * 1024;

/** Facts of a version that the registry has. */
export interface RegistryPackage {
  name: string;
  version: string;
  /** SPDX expression; `undefined` if the author names none. */
  license?: string | undefined;
  /** Checksum of the archive, which npm verifies. */
  integrity: string;
  /** Name → range of the packages that must be installed with it, without those that the service provides. */
  peers: ReadonlyMap<string, string>;
  /** The author's reason not to use this version. */
  deprecated?: string | undefined;
}

/** Modules that the service provides to packages. */
const providedModules: ReadonlySet<string> = new Set(['n8n-workflow', 'n8n-core', '@sluice/node-sdk']);

/** @param spec `<name>` or `<name>@<version, range, or tag>`. Throws an `Error` if the registry has no such package. */
export async function findInRegistry(spec: string, folder: string): Promise<RegistryPackage> {
  const fields = ['name', 'version', 'license', 'dist.integrity', 'peerDependencies', 'peerDependenciesMeta', 'deprecated'];
  const found = JSON.parse(await npm(['view', '--json'], [spec, ...fields], folder)) as JsonValue;
  // A range yields all of its versions, the newest last.
  const facts = Array.isArray(found) ? found.at(-1) : found;
  if (!isJsonObject(facts)) throw new Error(`the registry has no package ${spec}`);
  const { name, version, license, deprecated, 'dist.integrity': integrity, peerDependencies, peerDependenciesMeta } = facts;
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error(`the registry has no package ${spec}`);
  if (typeof integrity !== 'string') throw new Error(`the registry has no checksum of ${name}@${version}`);
  const peers = requiredPeers(peerDependencies, peerDependenciesMeta);
  for (const [peer, range] of peers)
    if (!isFromRegistry(peer, range))
      throw new Error(`${name}@${version} needs ${peer}@${range}, which is not of the registry`);
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
    const one = isJsonObject(meta) ? meta[name] : undefined;
    return isJsonObject(one) && one['optional'] === true;
  };
  const entries = isJsonObject(peers) ? Object.entries(peers) : [];
  return new Map(
    entries.flatMap(([name, range]) =>
      typeof range === 'string' && !providedModules.has(name) && !isOptional(name) ? [[name, range] as const] : [],
    ),
  );
}

/** Authors choose names and ranges: a range may also be an address, a file, or a repository, without a checksum. */
function isFromRegistry(name: string, range: string): boolean {
  return /^(?:@[^@/\s]+\/)?[a-z0-9][^@/\s]*$/i.test(name) && !/[:/]/.test(range);
}

/**
 * Installs exact versions into a folder. No script of a package runs, and npm verifies the checksum of each archive.
 */
export async function installWithNpm(specs: readonly string[], folder: string): Promise<void> {
  await npm(['install', '--save-exact', ...omitted], specs, folder);
}

export async function uninstallWithNpm(names: readonly string[], folder: string): Promise<void> {
  await npm(['uninstall', ...omitted], names, folder);
}

/** Peers are named explicitly: npm would look for those that the service provides, too. */
const omitted = ['--omit=dev', '--legacy-peer-deps'];

const always = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

/**
 * Output of npm, run in a folder. `values`: arguments that are no options, whatever they start with.
 * Rejects with an `Error` that has npm's reason.
 */
async function npm(command: readonly string[], values: readonly string[], folder: string): Promise<string> {
  const args = [...command, ...always, '--prefix', folder, '--', ...values];
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, problems] = [collect(child.stdout), collect(child.stderr)];
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ENOENT' ? new Error('npm is needed, and was not found: https://nodejs.org/en/download') : error),
  );
  child.once('close', resolve);
  if ((await promise) === 0) return output();
  throw new Error(`npm ${command[0]} failed: ${reasonIn(problems())}`);
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    if (text.length < maxOutputBytes) text += chunk;
  });
  return () => text;
}

/** Without npm's prefixes and its hint at a log file. */
function reasonIn(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  const said = lines.filter((line) => line !== '' && !line.startsWith('A complete log') && !line.startsWith('npm '));
  return said.slice(0, 5).join(' ') || 'it gave no reason';
}
