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
  type CredentialTypeDefinition,
  type NodeType,
  plainCredentialType,
  plainNodeType,
  validateCredentialType,
  validateNodeType,
} from '@sluice/node-sdk';

export interface PackageFile {
  /** The folder of all packages. */
  root: string;
  folder: string;
  file: string;
}

/** Reads a package's files and converts their exports to types. */
export interface PackageFormat {
  /**
   * The export of a file that is its type; `undefined` if there is no such export. Throws the
   * errors of the file.
   */
  load(place: PackageFile): Promise<unknown>;
  checkNodeType(value: unknown): ValidationIssue[];
  checkCredentialType(value: unknown): ValidationIssue[];
  /** Converts a checked value. @param find finds known credential types. */
  toNodeType(value: unknown, find: FindCredentialType): NodeType;
  /** @param find finds existing types, which it may extend. */
  toCredentialType(value: unknown, find: FindCredentialType): CredentialTypeDefinition;
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
  toCredentialType: (value) => plainCredentialType(value as CredentialTypeDefinition),
};

/**
 * Classes of the community format, each named after its file. Their imports of `n8n-workflow`
 * resolve to our module.
 */
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

/**
 * If the runtime does not allow module hooks, the import of `@sluice/node-sdk` fails with a clear
 * error; most Sluice packages do not need it at run time.
 */
function shimWherePossible(folder: string): void {
  try {
    shimImportsWithin(folder);
  } catch {
    // See the doc comment.
  }
}

/** Modules compiled to CommonJS nest their default export one level deeper. */
function unwrapped(value: unknown): unknown {
  const isCompiled = typeof value === 'object' && value !== null && '__esModule' in value && 'default' in value;
  return isCompiled ? value.default : value;
}

type Constructor = new () => object;

/** The class named after the file, or else the only class or the default export. */
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

/** A missing export of the module is the most likely cause of the error. */
function withMissingExports(error: unknown, names: readonly string[]): unknown {
  if (names.length === 0) return error;
  return new Error(`${errorMessage(error)} (n8n-workflow does not export ${names.join(', ')} here)`, { cause: error });
}
