import { describe, expect, test } from '@jest/globals';
import { checkCanary } from './canary.ts';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { type RotationStore, rotateMasterKey } from './rotate-master-key.ts';
import { type SealedRecord, Vault } from './vault.ts';

const [oldKey, newKey, lostKey] = [generateMasterKey(), generateMasterKey(), generateMasterKey()];
const vaultOf = (...keys: string[]) => new Vault(KeyRing.parse(keys));
const subjectOf = (id: string) => ({ id, type: 'httpBasicAuth' });

function aStore(count: number) {
  const rows = new Map<string, SealedRecord>();
  for (let i = 0; i < count; i++) {
    const id = `c${String(i).padStart(4, '0')}`;
    rows.set(id, vaultOf(oldKey).seal(subjectOf(id), { password: `secret ${id}` }));
  }
  let canary: SealedRecord | undefined;
  const others = (keyId: string) => [...rows].filter(([, record]) => record.keyId !== keyId);
  const store: RotationStore = {
    getOrCreate: async (record) => {
      canary ??= record;
      return canary;
    },
    replaceCanary: async (from, to) => {
      if (!canary?.wrappedDek.equals(from)) return false;
      canary = { ...canary, ...to };
      return true;
    },
    listWrappedByOthers: async (keyId, afterId, limit) =>
      others(keyId)
        .filter(([id]) => id > afterId)
        .slice(0, limit)
        .map(([id, { version, keyId: wrappedBy, wrappedDek }]) => ({
          ...subjectOf(id),
          version,
          keyId: wrappedBy,
          wrappedDek,
        })),
    countWrappedByOthers: async (keyId) => others(keyId).length,
    replaceWrapped: async (changes) => {
      await new Promise((resolve) => setImmediate(resolve));
      const current = changes.filter(({ id, from }) => rows.get(id)?.wrappedDek.equals(from));
      for (const { id, to } of current) rows.set(id, { ...(rows.get(id) as SealedRecord), ...to });
      return current.length;
    },
  };
  return { rows, store };
}

describe('rotateMasterKey', () => {
  test('leaves every credential readable with only the new key, despite concurrent reads and writes', async () => {
    const { rows, store } = aStore(250);
    await checkCanary(vaultOf(oldKey), store);
    const reader = vaultOf(oldKey, newKey);
    let done = false;
    const readAll = async () => {
      while (!done) {
        for (const [id, record] of rows) {
          expect(reader.open(subjectOf(id), record)).toEqual({ password: expect.any(String) });
        }
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const rotating = rotateMasterKey(vaultOf(newKey, oldKey), store, 20).finally(() => {
      done = true;
    });
    rows.set('c0003', reader.seal(subjectOf('c0003'), { password: 'written in the meantime' }));
    const [report] = await Promise.all([rotating, readAll()]);
    const again = await rotateMasterKey(vaultOf(newKey, oldKey), store);
    expect(report.rewrapped + report.changedMeanwhile).toBe(250);
    expect(again.remaining).toBe(0);
    for (const [id, record] of rows) expect(() => vaultOf(newKey).open(subjectOf(id), record)).not.toThrow();
    expect(vaultOf(newKey).open(subjectOf('c0003'), rows.get('c0003') as SealedRecord)).toEqual({
      password: 'written in the meantime',
    });
    await checkCanary(vaultOf(newKey), store);
  });

  test('continues where a stopped run ended, and a second run has nothing to do', async () => {
    const { store } = aStore(50);
    await checkCanary(vaultOf(oldKey), store);
    const ring = vaultOf(newKey, oldKey);
    let batches = 0;
    const stopping: RotationStore = {
      ...store,
      replaceWrapped: async (changes) => {
        if (++batches > 2) throw new Error('killed');
        return store.replaceWrapped(changes);
      },
    };
    await expect(rotateMasterKey(ring, stopping, 10)).rejects.toThrow('killed');
    expect(await rotateMasterKey(ring, store, 10)).toMatchObject({ rewrapped: 30, remaining: 0 });
    expect(await rotateMasterKey(ring, store, 10)).toMatchObject({ rewrapped: 0, remaining: 0 });
  });

  test('reports unreadable records and continues with the rest', async () => {
    const { rows, store } = aStore(5);
    rows.set('c0002', vaultOf(lostKey).seal(subjectOf('c0002'), {}));
    await checkCanary(vaultOf(oldKey), store);
    const report = await rotateMasterKey(vaultOf(newKey, oldKey), store, 2);
    expect(report).toMatchObject({ rewrapped: 4, unreadable: ['c0002'], remaining: 1 });
  });

  test('writes nothing if the ring lacks the key of this database', async () => {
    const { rows, store } = aStore(3);
    await checkCanary(vaultOf(oldKey), store);
    const before = [...rows.values()];
    await expect(rotateMasterKey(vaultOf(newKey, lostKey), store)).rejects.toMatchObject({ code: 'WRONG_ENCRYPTION_KEY' });
    expect([...rows.values()]).toEqual(before);
  });
});
