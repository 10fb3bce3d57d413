import { noteForAudit, VariableRepository } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer, withDatabase } from './administer.ts';
import { printResult, printTable } from './print.ts';

export async function listVariables({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const variables = await withDatabase(({ kysely }) => new VariableRepository(kysely).list());
  printTable(terminal, { json, documents: variables, rows: variables.map(({ key, value }) => [key, value]) });
}

export async function setVariable(key: string, value: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  await administer('variable.set', ({ kysely }) => {
    noteForAudit({ objectName: key });
    return new VariableRepository(kysely).set(key, value);
  });
  printResult(terminal, { json, document: { key, value }, lines: [['set', key]] });
}

/** Throws if the key does not exist. */
export async function deleteVariable(key: string, { json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const deleted = await administer('variable.delete', ({ kysely }) => {
    noteForAudit({ objectName: key });
    return new VariableRepository(kysely).delete(key);
  });
  if (!deleted) throw new Error(`there is no variable "${key}"`);
  printResult(terminal, { json, document: { key }, lines: [['deleted', key]] });
}
