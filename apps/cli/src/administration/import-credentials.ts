import { CredentialTypes } from '@sluice/api';
import { readEnv, toConfig } from '@sluice/config';
import { compileValidator, importedCredentials, type Static } from '@sluice/contract';
import {
  Access,
  CredentialImportRepository,
  type Database,
  inTransaction,
  noteForAudit,
  ProjectRepository,
  UserRepository,
  VaultKeyRepository,
} from '@sluice/db';
import { isAppError, NotFoundError, type ValidationIssue } from '@sluice/domain';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, createCredentialTypeRegistry, withPackageTypes } from '@sluice/nodes-base/credentials';
import { checkCanary, KeyRing, Vault } from '@sluice/vault';
import { requireMasterKeys } from '../master-key-file.ts';
import { loadPackages } from '../node-packages/load-packages.ts';
import { parseInput } from '../parse-input.ts';
import { readInput } from '../read-input.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { printResult } from './print.ts';

type ImportedCredential = Static<typeof importedCredentials>[number];

interface WrittenCredential {
  id: string;
  name: string;
  type: string;
  projectId: string;
  outcome: 'created' | 'updated' | 'unchanged';
}

interface ImportOptions {
  /** Only an import can change managed credentials; it leaves other existing ones unchanged. */
  managed: boolean;
  json: boolean;
}

/**
 * Stores the credentials of a file in one transaction, and prints the result for each, without its
 * data.
 */
export async function importCredentials(file: string, { managed, json }: ImportOptions, terminal: Terminal): Promise<void> {
  const config = toConfig(readEnv());
  const { credentialTypes } = await loadPackages(config, terminal);
  const credentials = checkTypes(checkIds(checkShape(parseInput(await readInput(file), 'the file'))), credentialTypes);
  const vault = new Vault(KeyRing.parse(await requireMasterKeys(config)));
  const written = await administer('credential.import', async (db) => {
    await checkCanary(vault, new VaultKeyRepository(db.kysely));
    return writeAll(db, vault, credentials, managed);
  });
  printResult(terminal, {
    json,
    document: written,
    lines: written.map(({ id, name, type, outcome }) => [outcome, `${id}  ${type}  ${name}`]),
  });
}

async function writeAll(
  { kysely }: Database,
  vault: Vault,
  credentials: readonly ImportedCredential[],
  isManaged: boolean,
): Promise<WrittenCredential[]> {
  return inTransaction(kysely, async (tx) => {
    const imports = new CredentialImportRepository(tx);
    const written: WrittenCredential[] = [];
    for (const { id: requestedId, name, type, data, projectId } of checkNames(await withProjects(tx, credentials))) {
      await new ProjectRepository(tx).get(projectId, new Access('all'));
      const seal = (id: string) => vault.seal({ id, type }, data);
      const { id, outcome } = await imports.import({ id: requestedId, projectId, name, type, isManaged }, seal);
      written.push({ id, name, type, projectId, outcome });
    }
    noteForAudit({ details: { ids: written.map(({ id }) => id) } });
    return written;
  });
}

type ProjectCredential = ImportedCredential & { projectId: string };

async function withProjects(
  db: ConstructorParameters<typeof UserRepository>[0],
  credentials: readonly ImportedCredential[],
): Promise<ProjectCredential[]> {
  const missing = credentials.some(({ projectId }) => projectId === undefined) ? await ownersProject(db) : '';
  return credentials.map((credential) => ({ ...credential, projectId: credential.projectId ?? missing }));
}

async function ownersProject(db: ConstructorParameters<typeof UserRepository>[0]): Promise<string> {
  const owner = await new UserRepository(db).findOwner();
  if (!owner) throw new NotFoundError('there is no owner yet: start the service once, or specify a projectId');
  return owner.personalProjectId;
}

function checkShape(document: unknown): readonly ImportedCredential[] {
  try {
    return compileValidator(importedCredentials)(document);
  } catch (error) {
    throw isAppError(error) ? importError(error.details as unknown as ValidationIssue[]) : error;
  }
}

/** Rejects duplicate IDs: the later credential would replace the earlier one. */
function checkIds(credentials: readonly ImportedCredential[]): readonly ImportedCredential[] {
  const seen = new Set<string>();
  const issues = credentials.flatMap(({ id }, index) => {
    if (id === undefined || seen.size < seen.add(id).size) return [];
    return [{ path: `/${index}/id`, message: 'is also the ID of an earlier credential in the file' }];
  });
  if (issues.length > 0) throw importError(issues);
  return credentials;
}

/**
 * Rejects an entry without an ID that has the project, type, and name of another entry: these
 * identify a credential without an ID, so only one of the two would be stored.
 */
function checkNames(credentials: readonly ProjectCredential[]): readonly ProjectCredential[] {
  const entries = credentials.map(({ id, projectId, type, name }, index) => ({
    id,
    index,
    key: `${projectId}|${type}|${name}`,
  }));
  const groups = [...Map.groupBy(entries, ({ key }) => key).values()].filter(({ length }) => length > 1);
  const issues = groups
    .flat()
    .filter(({ id }) => id === undefined)
    .map(({ index }) => ({
      path: `/${index}/id`,
      message: 'is required: another credential in the file has the same project, type, and name',
    }));
  if (issues.length > 0) throw importError(issues);
  return credentials;
}

function checkTypes(
  credentials: readonly ImportedCredential[],
  others: readonly CredentialType[],
): readonly ImportedCredential[] {
  const types = new CredentialTypes(createCredentialTypeRegistry(withPackageTypes(baseCredentialTypes, others)));
  const issues = credentials.flatMap(({ type: name, data }, index) => {
    const type = types.find(name);
    if (!type)
      return [{ path: `/${index}/type`, message: `is not a credential type: "${name}"; "credentials types" lists all types` }];
    return types.issuesOf(type, data, `/${index}/data`);
  });
  if (issues.length > 0) throw importError(issues);
  return credentials;
}

/** An error whose message names each issue. */
function importError(issues: readonly ValidationIssue[]): Error {
  return new Error(`nothing was imported: ${issues.map(({ path, message }) => `${path || 'the file'} ${message}`).join('; ')}`);
}
