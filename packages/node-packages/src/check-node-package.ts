import type { NodeType } from '@sluice/node-sdk';
import { baseCredentialTypes } from '@sluice/nodes-base/credentials';
import { loadNodePackage } from './load-node-package.ts';
import { loadedPackage } from './loading.ts';
import { defaultTimeoutMs, type LoadedNodePackage } from './node-packages.ts';
import { PackageError } from './package-error.ts';
import { requireManifest } from './read-manifest.ts';
import { tryPackages } from './trial/try-packages.ts';
import type { UncaughtErrors } from './uncaught-errors.ts';

/** A package that loads, with notes for its author. */
interface CheckedNodePackage extends LoadedNodePackage {
  /** Community node types that only supply data to other nodes, which cannot use them. */
  suppliersOnly: readonly string[];
}

/**
 * Loads one package as the service does, with only Sluice's own credential types present. Throws a
 * `PackageError` with the problems of all faulty files, and also for nodes that name an unknown
 * credential type.  @param uncaughtErrors attributes uncaught errors to the package; it must
 * already be listening.
 */
export async function checkNodePackage(folder: string, uncaughtErrors: UncaughtErrors): Promise<CheckedNodePackage> {
  const manifest = await requireManifest(folder);
  const packageFolder = { name: manifest.name, path: folder, installed: false };
  const tried = await tryPackages({ packages: [packageFolder], root: folder, timeoutMs: defaultTimeoutMs });
  const refused = tried.get(folder);
  if (refused !== undefined) throw new PackageError(refused);
  const ours = new Map(baseCredentialTypes.map((type) => [type.name, type]));
  const load = () => loadNodePackage(folder, manifest, { findCredentialType: (name) => ours.get(name) });
  const contents = await uncaughtErrors.run({ package: manifest.name }, load);
  const { nodeTypes, credentialTypes, skipped } = contents;
  if (skipped.length > 0) throw new PackageError(skipped.join('; '));
  const knownTypes = new Set([...ours.keys(), ...credentialTypes.map(({ name }) => name)]);
  for (const [identifier, { description }] of nodeTypes) {
    const unknown = description.credentials?.find(({ name }) => !knownTypes.has(name));
    if (unknown)
      throw new PackageError(`${identifier}: neither the package nor Sluice has the credential type ${unknown.name}`);
  }
  return {
    ...loadedPackage(manifest, contents),
    suppliersOnly: manifest.format === 'n8n' ? [...nodeTypes].filter(onlySupplies).map(([identifier]) => identifier) : [],
  };
}

/** Whether a type only supplies data: no version of it outputs items. */
function onlySupplies([, type]: [string, NodeType]): boolean {
  const versions = [type, ...Object.values(type.versions ?? {})];
  return (
    versions.some(({ supply }) => supply !== undefined) &&
    versions.every(({ description: { outputs } }) => !outputs.includes('main'))
  );
}
