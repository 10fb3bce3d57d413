import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage, type ValidationIssue } from '@sluice/domain';
import {
  type CredentialType,
  type CredentialTypeSource,
  declarativeExecute,
  defineCredentialType,
  inheritCredentialTypes,
  issueText,
  type NodeType,
  validateCredentialType,
  validateNodeType,
} from '@sluice/node-sdk';
import { reservedCredentialNames } from '@sluice/nodes-base/credentials';
import { PackageError } from './package-error.ts';
import type { Manifest } from './read-manifest.ts';

/** What a package brings. */
export interface PackageContents {
  /** Type identifier, `<package>.<node>`, → type. */
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
}

/** As long as the API takes in its cursors. */
const maxIdentifierLength = 128;

/**
 * Runs the files of a package, in this process, and checks what they export. Throws `PackageError` with all that is wrong of the first file at
 * which something is.
 *
 * @param findCredentialType what other packages have, and Sluice itself: types may extend those, and may not have their names.
 */
export async function loadNodePackage(
  folder: string,
  { name, nodes, credentials }: Pick<Manifest, 'name' | 'nodes' | 'credentials'>,
  findCredentialType: (name: string) => CredentialType | undefined,
): Promise<PackageContents> {
  const credentialTypes = new Map<string, CredentialType>();
  for (const file of credentials) {
    const source = await loadExport<CredentialTypeSource>(folder, file, validateCredentialType);
    const find = (other: string) => credentialTypes.get(other) ?? findCredentialType(other);
    if (find(source.name) || reservedCredentialNames.has(source.name))
      throw new PackageError(`${file}: the name ${source.name} is taken`);
    credentialTypes.set(source.name, toCredentialType(source, find, file));
  }
  const nodeTypes = new Map<string, NodeType>();
  for (const file of nodes) {
    const type = await loadExport<NodeType>(folder, file, validateNodeType);
    const identifier = `${name}.${type.description.name}`;
    if (nodeTypes.has(identifier)) throw new PackageError(`${file}: there is another node type named ${type.description.name}`);
    if (identifier.length > maxIdentifierLength)
      throw new PackageError(`${file}: ${identifier} is longer than ${maxIdentifierLength} characters`);
    nodeTypes.set(identifier, withExecute(type));
  }
  return { nodeTypes, credentialTypes: [...credentialTypes.values()] };
}

/** Declarative types, and versions, get what runs them. */
function withExecute(type: NodeType): NodeType {
  const { description, versions } = type;
  const acts = type.execute ?? (description.requestDefaults && declarativeExecute(description));
  const implementations = Object.entries(versions ?? {}).map(([version, inner]) => [version, withExecute(inner)]);
  return { ...type, ...(acts && { execute: acts }), ...(versions && { versions: Object.fromEntries(implementations) }) };
}

function toCredentialType(
  source: CredentialTypeSource,
  find: (name: string) => CredentialType | undefined,
  file: string,
): CredentialType {
  try {
    return defineCredentialType(inheritCredentialTypes(source, find));
  } catch (error) {
    throw new PackageError(`${file}: ${errorMessage(error)}`, { cause: error });
  }
}

async function loadExport<T>(folder: string, file: string, validate: (value: unknown) => ValidationIssue[]): Promise<T> {
  const value = await importDefault(folder, file);
  if (value === undefined) throw new PackageError(`${file}: there is no default export`);
  const issues = validate(value);
  if (issues.length > 0) throw new PackageError(`${file}: ${issueText(issues)}`);
  return value as T;
}

async function importDefault(folder: string, file: string): Promise<unknown> {
  try {
    const module: { default?: unknown } = await import(pathToFileURL(resolve(folder, file)).href);
    return unwrapped(module.default);
  } catch (error) {
    throw new PackageError(`${file} cannot be loaded: ${errorMessage(error)}`, { cause: error });
  }
}

/** Modules that were compiled to CommonJS keep their default export one level deeper. */
function unwrapped(value: unknown): unknown {
  const isCompiled = typeof value === 'object' && value !== null && '__esModule' in value && 'default' in value;
  return isCompiled ? value.default : value;
}
