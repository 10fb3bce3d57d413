import { expect, test } from '@jest/globals';
import { checkCanary } from './canary.ts';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { type SealedRecord, Vault } from './vault.ts';

const [first, second] = [generateMasterKey(), generateMasterKey()];
const vaultOf = (...keys: string[]) => new Vault(KeyRing.parse(keys));

function aStore() {
  let stored: SealedRecord | undefined;
  return {
    getOrCreate: async (record: SealedRecord) => {
      stored ??= record;
      return stored;
    },
  };
}

test('the first start creates the canary, and later ones with any ring that contains its key pass', async () => {
  const store = aStore();
  await checkCanary(vaultOf(first), store);
  await checkCanary(vaultOf(second, first), store);
});

test('a ring without the key is refused with a message that names the setting, and the canary is unchanged', async () => {
  const store = aStore();
  await checkCanary(vaultOf(first), store);
  await expect(checkCanary(vaultOf(second), store)).rejects.toMatchObject({
    code: 'WRONG_ENCRYPTION_KEY',
    message: expect.stringContaining('ENCRYPTION_KEY (or master.key) holds no key'),
  });
  await checkCanary(vaultOf(first), store);
});
