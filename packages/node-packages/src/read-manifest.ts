import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/domain';
import { PackageError } from './package-error.ts';

/** The types that a package declares. If it has both formats, Sluice's format is used. */
export interface Manifest {
  name: string;
  /** The name in the manifest, if npm installed the package under an alias; the alias is used. */
  aliasOf?: string;
  version: string;
  /** Files below the package folder, as written in the manifest. */
  nodes: readonly string[];
  credentials: readonly string[];
  /** `n8n`: the types have the community format. */
  format: 'sluice' | 'n8n';
}

/** npm's pattern, limited to characters that need no escape in a type identifier. */
const packageName = /^(?!(?:node_modules|favicon\.ico)$)(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]{0,100}$/;

/** `npm:other@^1.2.3` */
const aliased = /^npm:(@?[^@]+)(?:@|$)/;

/** Ten times the largest known manifests. */
const maxBytes = 1024 * 1024;

/** Sluice's own packages, under their own names and those of the de facto format. */
const reservedNames: ReadonlySet<string> = new Set(['base', 'n8n-nodes-base', 'ai', '@n8n/n8n-nodes-langchain']);

/** Whether npm and Sluice accept the text as a package name. */
export function isPackageName(name: string): boolean {
  return packageName.test(name) && !reservedNames.has(name);
}

/** Whether a list, such as `SLUICE_NODES_ALLOW`, contains a package or its scope. */
export function isNamed(list: readonly string[], name: string): boolean {
  return list.includes(name) || list.includes(name.replace(/\/.*/, '/*'));
}

/**
 * Reads the `package.json` of a package; `undefined` if it is not a node package. Throws
 * `PackageError`.
 */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const json = await readPackageJson(folder);
  const { name, version, sluice, n8n } = json;
  if (sluice === undefined && n8n === undefined) return undefined;
  if (typeof name !== 'string' || !packageName.test(name))
    throw new PackageError('package.json: name is not a valid npm package name');
  if (reservedNames.has(name)) throw new PackageError(`package.json: the name ${name} is reserved for Sluice's own nodes`);
  const format = sluice === undefined ? 'n8n' : 'sluice';
  const types = sluice ?? n8n;
  if (!isJsonObject(types)) throw new PackageError(`package.json: ${format} must be an object`);
  const nodes = filesOf(types, 'nodes', format);
  const credentials = filesOf(types, 'credentials', format);
  if (nodes.length + credentials.length === 0)
    throw new PackageError(`package.json: ${format} names neither nodes nor credentials`);
  return { name, version: typeof version === 'string' ? version : '', nodes, credentials, format };
}

/**
 * The npm aliases of the packages folder: alias → package name. Ignores aliases within
 * dependencies. Empty if there is no readable `package.json`.
 */
export async function readAliases(folder: string): Promise<ReadonlyMap<string, string>> {
  const { dependencies, optionalDependencies } = await readPackageJson(folder).catch((): JsonObject => ({}));
  const required = [dependencies, optionalDependencies].flatMap((one) => (isJsonObject(one) ? Object.entries(one) : []));
  const aliases = required.map(([name, range]) => [name, aliased.exec(String(range))?.[1]] as const);
  return new Map(aliases.filter((alias): alias is [string, string] => alias[1] !== undefined));
}

/** Same as `readManifest`, but also throws `PackageError` if it is not a node package. */
export async function requireManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (!manifest) throw new PackageError('package.json has neither a key "sluice" nor a key "n8n"');
  return manifest;
}

async function readPackageJson(folder: string): Promise<JsonObject> {
  const text = await readSmallFile(join(folder, 'package.json')).catch((error: unknown) => {
    throw error instanceof PackageError ? error : new PackageError('package.json is missing or cannot be read');
  });
  try {
    const json = JSON.parse(text) as JsonValue;
    if (isJsonObject(json)) return json;
  } catch {
    // See the line below.
  }
  throw new PackageError('package.json is not a JSON object');
}

/** Does not block on a pipe and does not read without limit. */
async function readSmallFile(path: string): Promise<string> {
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await file.stat()).isFile()) throw new PackageError('package.json is not a file');
  const bytes = Buffer.alloc(maxBytes + 1);
  let length = 0;
  // Limited by bytes read, because the size of a growing file, or of a file in /proc, is not
  // reliable.
  for (let bytesRead = -1; bytesRead !== 0 && length <= maxBytes; length += bytesRead) {
    bytesRead = (await file.read(bytes, length)).bytesRead;
  }
  if (length > maxBytes) throw new PackageError(`package.json is larger than ${maxBytes / 1024 / 1024} MiB`);
  return bytes.toString('utf8', 0, length);
}

function filesOf(types: JsonObject, key: 'nodes' | 'credentials', format: Manifest['format']): string[] {
  const files = types[key] ?? [];
  if (!Array.isArray(files)) throw new PackageError(`package.json: ${format}.${key} must be an array of file names`);
  return files.map((file, index) => {
    if (typeof file === 'string' && file !== '' && isInside(file)) return file;
    throw new PackageError(`package.json: ${format}.${key}[${index}] must be the name of a file inside the package`);
  });
}

function isInside(file: string): boolean {
  const path = normalize(file);
  return !isAbsolute(path) && path !== '..' && !/^\.\.[\\/]/.test(path);
}
