import { readEnv, toConfig } from '@sluice/config';
import { inTransaction, noteForAudit, VaultKeyRepository } from '@sluice/db';
import { KeyRing, rotateMasterKey, Vault } from '@sluice/vault';
import { requireMasterKeys } from '../master-key-file.ts';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { printResult } from './print.ts';

/**
 * Rewraps every credential with the primary master key while the service runs, and prints the
 * counts. Throws if some credentials are still wrapped with other or unknown keys: operators must
 * not remove those keys.
 */
export async function rotateMaster({ json }: { json: boolean }, terminal: Terminal): Promise<void> {
  const vault = new Vault(KeyRing.parse(await requireMasterKeys(toConfig(readEnv()))));
  const report = await administer('masterKey.rotate', async ({ kysely }) => {
    const rotated = await rotateMasterKey(vault, new VaultKeyRepository(kysely));
    const { keyId, rewrapped, remaining } = rotated;
    noteForAudit({ objectId: keyId, details: { rewrapped, remaining } });
    // This transaction only writes the audit entry: each batch has been committed separately.
    return inTransaction(kysely, async () => rotated);
  });
  printResult(terminal, {
    json,
    document: report,
    lines: [
      ['primary key', report.keyId],
      ['rewrapped', String(report.rewrapped)],
      ['changed in the meantime', String(report.changedMeanwhile)],
      ['unreadable', report.unreadable.join(', ') || '0'],
      ['remaining', String(report.remaining)],
    ],
  });
  if (report.remaining > 0) throw new Error(`${report.remaining} credentials are still wrapped with another key; see above`);
}
