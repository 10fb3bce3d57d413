import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, type ValidationIssue } from '@sluice/domain';
import {
  adaptCredentialType,
  adaptNodeType,
  type CommunityCredentialType,
  type CommunityNodeType,
  checkCommunityCredentialType,
  checkCommunityNodeType,
  type FindCredentialType,
  requireFile,
  shimImportsWithin,
  takeMissingExports,
} from '@sluice/n8n-compat';
import {
  type CredentialTypeSource,
  type NodeType,
  plainCredentialType,
  plainNodeType,
  validateCredentialType,
  validateNodeType,
} from '@sluice/node-sdk';

/** A file of a package. */
export interface PackageFile {
  /** The folder of all packages. */
  root: string;
  /** The folder of the package. */
  folder: string;
  file: string;
}

/** How the files of a package are read, and what they export becomes a type. */
export interface PackageFormat {
  /** What a file exports as its type; `undefined`: it has none. Throws what the file throws. */
  load(place: PackageFile): Promise<unknown>;
  checkNodeType(value: unknown): ValidationIssue[];
  checkCredentialType(value: unknown): ValidationIssue[];
  /** Of a value that was checked. @param find credential types that there are. */
  toNodeType(value: unknown, find: FindCredentialType): NodeType;
  /** @param find types that are there already, which it may extend. */
  toCredentialType(value: unknown, find: FindCredentialType): CredentialTypeSource;
}

/** Types as `node-sdk` describes them, each the default export of its file. */
export const sluiceFormat: PackageFormat = {
  async load({ root, folder, file }) {
    for (const path of [root, folder]) shimWherePossible(path);
    const module: { default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href);
    return unwrapped(module.default);
  },
  checkNodeType: validateNodeType,
  checkCredentialType: validateCredentialType,
  toNodeType: (value) => plainNodeType(value as NodeType),
  toCredentialType: (value) => plainCredentialType(value as CredentialTypeSource),
};

/** Classes of the community format, each named as its file, whose imports of `n8n-workflow` find the module of ours. */
export const communityFormat: PackageFormat = {
  async load({ root, folder, file }) {
    for (const path of [root, folder]) shimImportsWithin(path);
    takeMissingExports();
    try {
      const exported = exportedClass(requireFile(resolve(folder, file)), file);
      return exported && new exported();
    } catch (error) {
      throw withMissingExports(error, takeMissingExports());
    }
  },
  checkNodeType: checkCommunityNodeType,
  checkCredentialType: checkCommunityCredentialType,
  toNodeType: (value, find) => adaptNodeType(value as CommunityNodeType, find),
  toCredentialType: (value, find) => adaptCredentialType(value as CommunityCredentialType, find),
};

/** Where the runtime lets no hooks be set, the import of `@sluice/node-sdk` fails and says so; most packages of ours need none. */
function shimWherePossible(folder: string): void {
  try {
    shimImportsWithin(folder);
  } catch {
    // Said above.
  }
}

/** Modules that were compiled to CommonJS keep their default export one level deeper. */
function unwrapped(value: unknown): unknown {
  const isCompiled = typeof value === 'object' && value !== null && '__esModule' in value && 'default' in value;
  return isCompiled ? value.default : value;
}

type Constructor = new () => object;

/** The class of the file's own name; where there is none, the only one, or the default export. */
function exportedClass(module: unknown, file: string): Constructor | undefined {
  if (isConstructor(module)) return module;
  const members: Readonly<Record<string, unknown>> = typeof module === 'object' && module !== null ? { ...module } : {};
  const name = basename(file)
    .replace(/\.[cm]?js$/, '')
    .replace(/\.(?:node|credentials)$/, '');
  const classes = Object.values(members).filter(isConstructor);
  return [members[name], members['default'], classes.length === 1 ? classes[0] : undefined].find(isConstructor);
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function' && value.prototype !== undefined;
}

/** What a file asked of the module in vain is most likely why it failed. */
function withMissingExports(error: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return error;
  return new Error(`${errorMessage(error)} (n8n-workflow has no ${names.join(', ')} here)`, { cause: error });
}
