import { errorMessage, type ValidationIssue } from '@sluice/domain';
import type { FindCredentialType } from '@sluice/n8n-compat';
import {
  type CredentialType,
  type CredentialTypeSource,
  declarativeExecute,
  defineCredentialType,
  inheritCredentialTypes,
  issueText,
  type NodeType,
} from '@sluice/node-sdk';
import { reservedCredentialNames } from '@sluice/nodes-base/credentials';
import { assertPlain } from './assert-plain.ts';
import { PackageError } from './package-error.ts';
import { communityFormat, type PackageFile, type PackageFormat, sluiceFormat } from './package-format.ts';
import type { Manifest } from './read-manifest.ts';

/** The types of a package. */
export interface PackageContents {
  /** Type identifier, `<package>.<node>`, → type. */
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
}

/** The limit of the API's cursors. */
const maxIdentifierLength = 128;

/**
 * Runs the files of a package in this process and checks their exports. Throws a `PackageError`
 * with all problems of the first faulty file.
 *
 * @param findCredentialType finds types of other packages and of Sluice, which may be extended but not redefined.
 * @param ownerOf the package of an existing credential type, for the reason of a clash.
 * @param root the folder of all packages, whose dependencies may be next to this one.
 */
export async function loadNodePackage(
  folder: string,
  { name, nodes, credentials, format: formatName }: Pick<Manifest, 'name' | 'nodes' | 'credentials' | 'format'>,
  findCredentialType: FindCredentialType,
  { root = folder, ownerOf }: { root?: string; ownerOf?: (credentialType: string) => string | undefined } = {},
): Promise<PackageContents> {
  const format = formatName === 'n8n' ? communityFormat : sluiceFormat;
  const credentialTypes = new Map<string, CredentialType>();
  const find = (other: string) => credentialTypes.get(other) ?? findCredentialType(other);
  for (const file of credentials) {
    const exported = await loadExport(format, { root, folder, file }, format.checkCredentialType);
    const source = converted(file, () => format.toCredentialType(exported, find));
    if (find(source.name) || reservedCredentialNames.has(source.name)) {
      const owner = ownerIn(credentialTypes, source.name) ?? ownerOf?.(source.name) ?? 'Sluice';
      throw new PackageError(`${file}: the name ${source.name} is taken by ${owner}`);
    }
    converted(file, () => assertPlain(source, 'the credential type'));
    credentialTypes.set(source.name, toCredentialType(source, find, file));
  }
  const nodeTypes = new Map<string, NodeType>();
  for (const file of nodes) {
    const exported = await loadExport(format, { root, folder, file }, format.checkNodeType);
    const type = converted(file, () => format.toNodeType(exported, find));
    const identifier = `${name}.${type.description.name}`;
    if (nodeTypes.has(identifier)) throw new PackageError(`${file}: there is another node type named ${type.description.name}`);
    if (identifier.length > maxIdentifierLength)
      throw new PackageError(`${file}: ${identifier} is longer than ${maxIdentifierLength} characters`);
    for (const { description } of [type, ...Object.values(type.versions ?? {})])
      converted(file, () => assertPlain(description, 'the description'));
    nodeTypes.set(identifier, withExecute(type));
  }
  return { nodeTypes, credentialTypes: [...credentialTypes.values()] };
}

function ownerIn(own: ReadonlyMap<string, CredentialType>, name: string): string | undefined {
  return own.has(name) ? 'another file of the package' : undefined;
}

/** Adds the execution of declarative types, for each version. */
function withExecute(type: NodeType): NodeType {
  const { description, versions } = type;
  const acts = type.execute ?? (description.requestDefaults && declarativeExecute(description));
  const implementations = Object.entries(versions ?? {}).map(([version, inner]) => [version, withExecute(inner)]);
  return { ...type, ...(acts && { execute: acts }), ...(versions && { versions: Object.fromEntries(implementations) }) };
}

function toCredentialType(source: CredentialTypeSource, find: FindCredentialType, file: string): CredentialType {
  return converted(file, () => defineCredentialType(inheritCredentialTypes(source, find)));
}

async function loadExport(
  format: PackageFormat,
  place: PackageFile,
  check: (value: unknown) => ValidationIssue[],
): Promise<unknown> {
  const { file } = place;
  const value = await format.load(place).catch((error: unknown) => {
    throw new PackageError(`${file} cannot be loaded: ${errorMessage(error)}`, { cause: error });
  });
  if (value === undefined) throw new PackageError(`${file}: there is no default export`);
  const issues = converted(file, () => check(value));
  if (issues.length > 0) throw new PackageError(`${file}: ${issueText(issues)}`);
  return value;
}

/** An error while converting a third-party type is reported as a problem of that type. */
function converted<T>(file: string, convert: () => T): T {
  try {
    return convert();
  } catch (error) {
    throw new PackageError(`${file}: ${errorMessage(error)}`, { cause: error });
  }
}
