import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '@sluice/domain';
import type { CredentialType, NodeType } from '@sluice/node-sdk';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { findPackageFolders, type PackageFolder } from './find-package-folders.ts';
import { loadNodePackage, type PackageContents } from './load-node-package.ts';
import { PackageError } from './package-error.ts';
import { type Manifest, readManifest } from './read-manifest.ts';

export interface LoadNodePackagesOptions {
  /** Absolute path; `null`: nothing is to be loaded. */
  folder: string | null;
  /** Names of the packages that may be loaded, `@scope/*` for all of a scope; `null`: all that are there. */
  allow: readonly string[] | null;
  /** Credential types that are there already; default: those of Sluice. */
  credentialTypes?: readonly CredentialType[];
  /** Milliseconds that a package may take to load; default 10,000. */
  timeoutMs?: number;
}

export interface LoadedNodePackage {
  name: string;
  version: string;
  /** Type identifiers. */
  nodeTypes: readonly string[];
  /** Names. */
  credentialTypes: readonly string[];
}

/** A package that was left out as a whole. */
export interface NodePackageFailure {
  package: string;
  reason: string;
}

/** What the packages of others bring, and which of them do not work. */
export interface NodePackages {
  packages: readonly LoadedNodePackage[];
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
  failures: readonly NodePackageFailure[];
}

export const noNodePackages: NodePackages = { packages: [], nodeTypes: new Map(), credentialTypes: [], failures: [] };

/**
 * Loads the packages of a folder one after the other, by name, so that all processes come to the same answer. Their code runs in this process with all
 * of its rights. Never rejects: what is wrong with a package, or with the folder, is a failure, and leaves out that package alone.
 */
export async function loadNodePackages(options: LoadNodePackagesOptions): Promise<NodePackages> {
  const { folder } = options;
  if (folder === null) return noNodePackages;
  const loading = new Loading(options);
  try {
    for (const found of await findPackageFolders(folder)) await loading.add(found);
  } catch (error) {
    loading.failures.push({ package: folder, reason: `the folder cannot be read: ${errorMessage(error)}` });
  }
  return loading;
}

class Loading implements NodePackages {
  readonly packages: LoadedNodePackage[] = [];
  readonly nodeTypes = new Map<string, NodeType>();
  readonly credentialTypes: CredentialType[] = [];
  readonly failures: NodePackageFailure[] = [];
  readonly #options: LoadNodePackagesOptions;

  constructor(options: LoadNodePackagesOptions) {
    this.#options = options;
  }

  async add(found: PackageFolder): Promise<void> {
    let name = found.name;
    try {
      const manifest = await readManifest(found.path);
      if (!manifest && found.installed) return;
      if (!manifest) throw new PackageError('package.json has no key "sluice"');
      name = manifest.name;
      this.#admit(manifest);
      this.#keep(manifest, await this.#load(found.path, manifest));
    } catch (error) {
      this.failures.push({ package: name, reason: errorMessage(error) });
    }
  }

  #admit({ name }: Manifest): void {
    const { allow } = this.#options;
    const scope = /^@[^/]+\//.exec(name)?.[0];
    const isAllowed = allow === null || allow.includes(name) || (scope !== undefined && allow.includes(`${scope}*`));
    if (!isAllowed) throw new PackageError('SLUICE_NODES_ALLOW does not name it');
    if (this.packages.some((loaded) => loaded.name === name))
      throw new PackageError('a package of this name is loaded already');
  }

  async #load(path: string, manifest: Manifest): Promise<PackageContents> {
    const { credentialTypes = baseCredentialTypes, timeoutMs = 10_000 } = this.#options;
    const known = new Map([...credentialTypes, ...this.credentialTypes].map((type) => [type.name, type]));
    const over = new AbortController();
    const deadline = delay(timeoutMs, undefined, { signal: over.signal }).then(() => {
      throw new PackageError(`it was not loaded within ${timeoutMs} milliseconds`);
    });
    try {
      return await Promise.race([loadNodePackage(path, manifest, (name) => known.get(name)), deadline]);
    } finally {
      deadline.catch(() => undefined);
      over.abort();
    }
  }

  #keep({ name, version }: Manifest, { nodeTypes, credentialTypes }: PackageContents): void {
    const clash = [...nodeTypes.keys()].find((identifier) => this.nodeTypes.has(identifier));
    if (clash !== undefined) throw new PackageError(`another package has the node type ${clash}`);
    for (const [identifier, type] of nodeTypes) this.nodeTypes.set(identifier, type);
    this.credentialTypes.push(...credentialTypes);
    this.packages.push({
      name,
      version,
      nodeTypes: [...nodeTypes.keys()],
      credentialTypes: credentialTypes.map((type) => type.name),
    });
  }
}

/** One line for each package that was loaded, and a warning for each that was not. */
export function logNodePackages(
  { packages, failures }: NodePackages,
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void },
): void {
  for (const { name, version, nodeTypes } of packages)
    logger.info({ package: name, version, nodeTypes }, 'node package loaded');
  for (const failure of failures) logger.warn(failure, 'node package not loaded');
}
