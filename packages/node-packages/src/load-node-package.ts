import { errorMessage, type ValidationIssue } from '@sluice/domain';
import type { FindCredentialType } from '@sluice/n8n-compat';
import {
  type CredentialType,
  declarativeExecute,
  defineCredentialType,
  inheritCredentialTypes,
  issueText,
  type NodeType,
} from '@sluice/node-sdk';
import { reservedCredentialNames } from '@sluice/nodes-base/credentials';
import { assertPlain } from './assert-plain.ts';
import { definitionText } from './definition-text.ts';
import { PackageError } from './package-error.ts';
import { communityFormat, type PackageFile, type PackageFormat, sluiceFormat } from './package-format.ts';
import type { Manifest } from './read-manifest.ts';

/** A package's types. */
export interface PackageContents {
  /** Type identifier, `<package>.<node>`, → type. */
  nodeTypes: ReadonlyMap<string, NodeType>;
  credentialTypes: readonly CredentialType[];
  /** Name of each credential type → its `definitionText`. */
  definitions: ReadonlyMap<string, string>;
  /** Problems of the omitted files, each with its file name. */
  skipped: readonly string[];
}

/** Types that exist before a package is loaded. */
interface ExistingTypes {
  findCredentialType: FindCredentialType;
  /** The package of a credential type; `undefined` for Sluice's own types. */
  ownerOf?(credentialType: string): string | undefined;
  /** The `definitionText` of another package's credential type. */
  definitionOf?(credentialType: string): string | undefined;
}

interface LoadOptions {
  /** The folder of all packages; this package's dependencies may be next to it. */
  root?: string;
  /** Whether the package's credential types replace Sluice's types with the same name. */
  replaces?: boolean;
}

/** Maximum length that the API's cursors allow. */
const maxIdentifierLength = 128;

/**
 * Runs a package's files in this process and checks their exports. A file with a problem is
 * omitted, and the others are loaded. Throws a `PackageError` if no file remains.
 *
 * A credential type whose name is taken is a problem, unless the definitions are the same.
 */
export async function loadNodePackage(
  folder: string,
  manifest: Pick<Manifest, 'name' | 'nodes' | 'credentials' | 'format'>,
  existing: ExistingTypes,
  { root = folder, replaces = false }: LoadOptions = {},
): Promise<PackageContents> {
  const types = new PackageTypes(manifest, { root, folder }, existing, replaces);
  const skipped: string[] = [];
  const attempt = async (file: string, load: (file: string) => Promise<void>) => {
    try {
      await load(file);
    } catch (error) {
      if (!(error instanceof PackageError)) throw error;
      skipped.push(error.message);
    }
  };
  for (const file of manifest.credentials) await attempt(file, (one) => types.addCredentialType(one));
  for (const file of manifest.nodes) await attempt(file, (one) => types.addNodeType(one));
  const { nodeTypes, credentialTypes, definitions } = types;
  const isEmpty = nodeTypes.size + credentialTypes.size === 0;
  if (isEmpty && skipped.length > 0) throw new PackageError(skipped.join('; '));
  return { nodeTypes, credentialTypes: [...credentialTypes.values()], definitions, skipped };
}

/** The types of a package being loaded. Methods throw a `PackageError` for a faulty file. */
class PackageTypes {
  readonly nodeTypes = new Map<string, NodeType>();
  readonly credentialTypes = new Map<string, CredentialType>();
  readonly definitions = new Map<string, string>();
  readonly #name: string;
  readonly #format: PackageFormat;
  readonly #place: Omit<PackageFile, 'file'>;
  readonly #existing: ExistingTypes;
  readonly #replaces: boolean;

  constructor(
    { name, format }: Pick<Manifest, 'name' | 'format'>,
    place: Omit<PackageFile, 'file'>,
    existing: ExistingTypes,
    replaces: boolean,
  ) {
    this.#name = name;
    this.#format = format === 'n8n' ? communityFormat : sluiceFormat;
    this.#place = place;
    this.#existing = existing;
    this.#replaces = replaces;
  }

  async addCredentialType(file: string): Promise<void> {
    const format = this.#format;
    const exported = await loadExport(format, { ...this.#place, file }, format.checkCredentialType);
    const source = converted(file, () => format.toCredentialType(exported, this.#find));
    const definition = definitionText(exported);
    const owner = this.#ownerOf(source.name);
    if (owner !== undefined) {
      if (definition === this.#existing.definitionOf?.(source.name)) return;
      throw new PackageError(`${file}: the name ${source.name} is taken by ${owner}`);
    }
    converted(file, () => assertPlain(source, 'the credential type'));
    const type = converted(file, () => defineCredentialType(inheritCredentialTypes(source, this.#find)));
    this.credentialTypes.set(source.name, type);
    this.definitions.set(source.name, definition);
  }

  async addNodeType(file: string): Promise<void> {
    const format = this.#format;
    const exported = await loadExport(format, { ...this.#place, file }, format.checkNodeType);
    const type = converted(file, () => format.toNodeType(exported, this.#find));
    const identifier = `${this.#name}.${type.description.name}`;
    if (this.nodeTypes.has(identifier))
      throw new PackageError(`${file}: there is another node type named ${type.description.name}`);
    if (identifier.length > maxIdentifierLength)
      throw new PackageError(`${file}: ${identifier} is longer than ${maxIdentifierLength} characters`);
    for (const { description } of [type, ...Object.values(type.versions ?? {})])
      converted(file, () => assertPlain(description, 'the description'));
    this.nodeTypes.set(identifier, withExecute(type));
  }

  readonly #find: FindCredentialType = (name) => this.credentialTypes.get(name) ?? this.#existing.findCredentialType(name);

  /** Owner of a credential type name; `undefined` if the package may use the name. */
  #ownerOf(name: string): string | undefined {
    if (reservedCredentialNames.has(name)) return 'Sluice';
    if (this.credentialTypes.has(name)) return 'another file of the package';
    if (!this.#existing.findCredentialType(name)) return undefined;
    const owner = this.#existing.ownerOf?.(name);
    return owner === undefined && this.#replaces ? undefined : (owner ?? 'Sluice');
  }
}

/** Adds `execute` to declarative types, for each version. */
function withExecute(type: NodeType): NodeType {
  const { description, versions } = type;
  const acts = type.execute ?? (description.requestDefaults && declarativeExecute(description));
  const implementations = Object.entries(versions ?? {}).map(([version, inner]) => [version, withExecute(inner)]);
  return { ...type, ...(acts && { execute: acts }), ...(versions && { versions: Object.fromEntries(implementations) }) };
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
  if (value === undefined) throw new PackageError(`${file} has no default export`);
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
