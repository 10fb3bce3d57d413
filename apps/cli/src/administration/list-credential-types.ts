import { readEnv, toConfig } from '@sluice/config';
import type { CredentialType } from '@sluice/node-sdk';
import { baseCredentialTypes, withPackageTypes } from '@sluice/nodes-base/credentials';
import { loadPackages } from '../node-packages/load-packages.ts';
import type { Terminal } from '../terminal.ts';
import { printTable } from './print.ts';

/** Prints the credential types, built-in and of packages, by name. Needs no database. */
export async function listCredentialTypes({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const packages = await loadPackages(toConfig(readEnv()), terminal);
  const types = [...withPackageTypes(baseCredentialTypes, packages.credentialTypes)].sort((a, b) => (a.name < b.name ? -1 : 1));
  const documents = types.map(({ name, displayName, schema }) => ({ name, displayName, schema }));
  const rows = types.map((type) => [type.name, type.displayName, fieldsOf(type)]);
  printTable(terminal, { json, documents, rows });
}

function fieldsOf({ schema }: CredentialType): string {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] };
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `[${name}]`))
    .join(' ');
}
