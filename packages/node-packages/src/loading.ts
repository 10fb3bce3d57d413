import { errorMessage, within } from '@sluice/domain';
import type { CredentialType, NodeType } from '@sluice/node-sdk';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { BuiltInGuard } from './built-in-guard.ts';
import { type PackageFolder, realPath } from './find-package-folders.ts';
import { loadNodePackage, type PackageContents } from './load-node-package.ts';
import {
  defaultTimeoutMs,
  type LoadedNodePackage,
  type LoadNodePackagesOptions,
  type NodePackageFailure,
  type NodePackages,
} from './node-packages.ts';
import { ownedCredentialType } from './owned-credential-type.ts';
import { PackageError } from './package-error.ts';
import { isNamed, isPackageName, type Manifest, readManifest, requireManifest } from './read-manifest.ts';

/** Packages that are being loaded into this process. */
export class Loading implements NodePackages {
  readonly packages: LoadedNodePackage[] = [];
  readonly nodeTypes = new Map<string, NodeType>();
  readonly credentialTypes: CredentialType[] = [];
  readonly failures: NodePackageFailure[] = [];
  readonly replacements = new Map<string, NodeType>();
  readonly #options: LoadNodePackagesOptions;
  /** Name of each credential type in a package → its `definitionText`. */
  readonly #definitions = new Map<string, string>();

  constructor(options: LoadNodePackagesOptions) {
    this.#options = options;
  }

  /** The packages for which `add` would run code. */
  async admitted(packageFolders: readonly PackageFolder[]): Promise<PackageFolder[]> {
    const manifests = await Promise.all(packageFolders.map((one) => manifestOf(one).catch(() => undefined)));
    return packageFolders.filter((_, index) => manifests[index] && this.#isAllowed(manifests[index]));
  }

  /** @param refused reason not to run the package. */
  async add(packageFolder: PackageFolder, refused?: string): Promise<void> {
    const { uncaughtErrors } = this.#options;
    try {
      const manifest = await manifestOf(packageFolder);
      if (!manifest) return;
      this.#admit(manifest);
      if (refused !== undefined) throw new PackageError(refused);
      uncaughtErrors.know(await realPath(packageFolder.path), manifest.name);
      this.#keep(
        manifest,
        await uncaughtErrors.run({ package: manifest.name }, () => this.#load(packageFolder.path, manifest)),
      );
    } catch (error) {
      this.failures.push({ package: packageFolder.name, reason: errorMessage(error) });
    }
  }

  #admit(manifest: Manifest): void {
    if (!this.#isAllowed(manifest)) {
      const { aliasOf } = manifest;
      const what = aliasOf === undefined ? 'it' : `both it and ${aliasOf}, its original name`;
      throw new PackageError(`SLUICE_NODES_ALLOW does not name ${what}`);
    }
    if (this.packages.some((loaded) => loaded.name === manifest.name))
      throw new PackageError('a package with this name is already loaded');
  }

  #isAllowed({ name, aliasOf = name }: Manifest): boolean {
    const { allow } = this.#options;
    return allow === null || (isNamed(allow, name) && isNamed(allow, aliasOf));
  }

  async #load(path: string, manifest: Manifest): Promise<PackageContents> {
    const { credentialTypes = baseCredentialTypes, timeoutMs = defaultTimeoutMs } = this.#options;
    const typesByName = new Map([...credentialTypes, ...this.credentialTypes].map((type) => [type.name, type]));
    const builtIns = new BuiltInGuard();
    const existing = {
      findCredentialType: (name: string) => typesByName.get(name),
      ownerOf: (name: string) => this.packages.find((one) => one.credentialTypes.includes(name))?.name,
      definitionOf: (name: string) => this.#definitions.get(name),
    };
    const loaded = loadNodePackage(path, manifest, existing, {
      root: this.#options.folder ?? path,
      replaces: this.#replaces(manifest.name),
    });
    try {
      const contents = await within(timeoutMs, loaded);
      if (!contents) throw new PackageError(`it was not loaded within ${timeoutMs} milliseconds`);
      return contents;
    } finally {
      builtIns.restore();
    }
  }

  #replaces(name: string): boolean {
    return isNamed(this.#options.prefer ?? [], name);
  }

  #keep(manifest: Manifest, contents: PackageContents): void {
    const { name } = manifest;
    const { nodeTypes, credentialTypes, definitions } = contents;
    const clash = [...nodeTypes.keys()].find((identifier) => this.nodeTypes.has(identifier));
    if (clash !== undefined) throw new PackageError(`another package has the node type ${clash}`);
    for (const [identifier, type] of nodeTypes) {
      this.nodeTypes.set(identifier, type);
      const own = type.description.name;
      if (this.#replaces(name) && !this.replacements.has(own)) this.replacements.set(own, type);
    }
    for (const [credentialType, definition] of definitions) this.#definitions.set(credentialType, definition);
    const { uncaughtErrors } = this.#options;
    this.credentialTypes.push(...credentialTypes.map((type) => ownedCredentialType(type, uncaughtErrors, name)));
    this.packages.push(loadedPackage(manifest, contents));
  }
}

export function loadedPackage(
  { name, version }: Manifest,
  { nodeTypes, credentialTypes, skipped }: PackageContents,
): LoadedNodePackage {
  return {
    name,
    version,
    nodeTypes: [...nodeTypes.keys()],
    credentialTypes: credentialTypes.map((type) => type.name),
    skipped,
  };
}

/**
 * Reads the manifest; `undefined` for a dependency of another package. Throws a `PackageError`,
 * including if the package's name is neither the folder name nor the name of the package that npm
 * installed there: with a false name, it would take another package's place in
 * `SLUICE_NODES_ALLOW` and its types.
 */
async function manifestOf({ name, path, installed, aliasOf }: PackageFolder): Promise<Manifest | undefined> {
  const manifest = await (installed ? readManifest(path) : requireManifest(path));
  if (!manifest || manifest.name === name) return manifest;
  if (manifest.name !== aliasOf)
    throw new PackageError(`package.json: the name ${manifest.name} does not match its folder, ${name}`);
  if (!isPackageName(name))
    throw new PackageError(`${aliasOf} is installed as ${name}, which is not allowed as a package name`);
  return { ...manifest, name, aliasOf };
}
