import { readEnv, toConfig } from '@sluice/config';
import { inTransaction, noteForAudit, VaultKeyRepository } from '@sluice/db';
import { KeyRing, rotateMasterKey, Vault } from '@sluice/vault';
import { requireMasterKeys } from '../master-key-file.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { printResult } from './print-result.ts';

/**
 * Wraps every credential with the primary master key while everything runs, and prints the counts. Throws when some are left that the
 * other keys, or none, wrap: those may then not be removed.
 */
export async function rotateMaster({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const vault = new Vault(KeyRing.parse(await requireMasterKeys(toConfig(readEnv()))));
  const report = await administer('masterKey.rotate', async ({ kysely }) => {
    const rotated = await rotateMasterKey(vault, new VaultKeyRepository(kysely));
    const { keyId, rewrapped, remaining } = rotated;
    noteForAudit({ objectId: keyId, details: { rewrapped, remaining } });
    return inTransaction(kysely, async () => rotated); // for the audit log alone: batches are committed one by one
  });
  printResult(terminal, {
    json,
    document: report,
    lines: [
      ['primary key', report.keyId],
      ['rewrapped', String(report.rewrapped)],
      ['changed meanwhile', String(report.changedMeanwhile)],
      ['unreadable', report.unreadable.join(', ') || '0'],
      ['remaining', String(report.remaining)],
    ],
  });
  if (report.remaining > 0) throw new Error(`${report.remaining} credentials are still wrapped by another key; see above`);
}
