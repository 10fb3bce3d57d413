import { noteForAudit, VariableRepository } from '@sluice/db';
import { printable, type Terminal } from '../terminal.ts';
import { administer, withDatabase } from './administer.ts';
import { printResult } from './print-result.ts';

export async function listVariables({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const variables = await withDatabase(({ kysely }) => new VariableRepository(kysely).list());
  const texts = json
    ? [JSON.stringify(variables, undefined, 2)]
    : variables.map(({ key, value }) => `${key}  ${printable(value)}`);
  for (const text of texts) terminal.line(text);
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
