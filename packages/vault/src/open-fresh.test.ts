import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type JsonObject, UnavailableError } from '@sluice/domain';
import { KeyRing } from './key-ring.ts';
import { generateMasterKey } from './master-key.ts';
import { openFresh, type Renewal, type RenewalStore } from './open-fresh.ts';
import { type SealedRecord, Vault } from './vault.ts';

const vault = new Vault(KeyRing.parse([generateMasterKey()]));
const subject = { id: 'c1', type: 'oAuth2Api' };
const never = new AbortController().signal;

/** A single stored credential, with a renewal lock like the database's. */
function aStore(data: JsonObject) {
  const state = { record: vault.seal(subject, data), holder: undefined as string | undefined, rights: 0 };
  const store: RenewalStore = {
    read: async () => state.record,
    claimRenewal: async (record) => {
      if (state.holder !== undefined || record.iv !== state.record.iv) return undefined;
      state.holder = String(++state.rights);
      return state.holder;
    },
    storeRenewed: async (id, record: SealedRecord) => {
      if (state.holder !== id) return false;
      state.record = record;
      state.holder = undefined;
      return true;
    },
    releaseRenewal: async (id) => {
      if (state.holder === id) state.holder = undefined;
    },
  };
  return { state, store };
}

function aRenewal(renew: (data: JsonObject) => Promise<JsonObject> = async () => ({ token: 'new' })) {
  const renewal = { calls: 0, isDue: (data: JsonObject) => data['token'] === 'old', renew: renewCounted };
  function renewCounted(data: JsonObject): Promise<JsonObject> {
    renewal.calls += 1;
    return renew(data);
  }
  return renewal satisfies Renewal;
}

const open = (store: RenewalStore, renewal: Renewal | undefined, signal = never) =>
  openFresh(vault, subject, { store, renewal, signal });

/** A store whose first writes of a renewed record fail. */
function failing(store: RenewalStore, errors: Error[]) {
  const failed = { calls: 0, store: { ...store, storeRenewed } };
  async function storeRenewed(id: string, record: SealedRecord): Promise<boolean> {
    const error = errors[failed.calls++];
    if (error) throw error;
    return store.storeRenewed(id, record);
  }
  return failed;
}

const unavailable = new UnavailableError('the database cannot be reached');

afterEach(() => {
  jest.restoreAllMocks();
});

describe('openFresh', () => {
  test('returns the stored data if no renewal is due', async () => {
    const renewal = aRenewal();
    expect(await open(aStore({ token: 'fresh' }).store, renewal)).toEqual({ token: 'fresh' });
    expect(await open(aStore({ token: 'old' }).store, undefined)).toEqual({ token: 'old' });
    expect(renewal.calls).toBe(0);
  });

  test('concurrent callers renew once, and all get the new token', async () => {
    const { store, state } = aStore({ token: 'old' });
    const renewal = aRenewal(async () => {
      await delay(30);
      return { token: 'new' };
    });
    const responses = await Promise.all(Array.from({ length: 20 }, () => open(store, renewal)));
    expect(responses).toEqual(Array.from({ length: 20 }, () => ({ token: 'new' })));
    expect(renewal.calls).toBe(1);
    expect(vault.open(subject, state.record)).toEqual({ token: 'new' });
  });

  test('a failed renewal rejects its caller, and the next caller may try again', async () => {
    const { store, state } = aStore({ token: 'old' });
    let failures = 1;
    const renewal = aRenewal(async () => {
      if (failures-- > 0) throw new Error('refused');
      return { token: 'new' };
    });
    await expect(open(store, renewal)).rejects.toThrow('refused');
    expect(state.holder).toBeUndefined();
    expect(await open(store, renewal)).toEqual({ token: 'new' });
  });

  test('a failed release does not hide why the renewal failed', async () => {
    const { store } = aStore({ token: 'old' });
    const renewal = aRenewal(() => Promise.reject(new Error('refused')));
    await expect(open({ ...store, releaseRenewal: () => Promise.reject(unavailable) }, renewal)).rejects.toThrow('refused');
  });

  test('a renewed token is stored although the database fails for a while', async () => {
    const { store, state } = aStore({ token: 'old' });
    const renewal = aRenewal();
    expect(await open(failing(store, [unavailable, unavailable]).store, renewal)).toEqual({ token: 'new' });
    expect(renewal.calls).toBe(1);
    expect(vault.open(subject, state.record)).toEqual({ token: 'new' });
  });

  test('a token that was stored although the write failed is not renewed again', async () => {
    const { store } = aStore({ token: 'old' });
    const renewal = aRenewal();
    const failed = { ...store };
    failed.storeRenewed = async (...args) => {
      failed.storeRenewed = store.storeRenewed;
      await store.storeRenewed(...args);
      throw unavailable;
    };
    expect(await open(failed, renewal)).toEqual({ token: 'new' });
    expect(renewal.calls).toBe(1);
  });

  test('a write is not repeated after a permanent error, or after the lease has ended', async () => {
    const permanent = new Error('no such column');
    const first = failing(aStore({ token: 'old' }).store, [permanent]);
    await expect(open(first.store, aRenewal())).rejects.toBe(permanent);

    const second = failing(aStore({ token: 'old' }).store, [unavailable]);
    const late = aRenewal(async () => {
      const end = performance.now() + 45_000;
      jest.spyOn(performance, 'now').mockReturnValue(end);
      return { token: 'new' };
    });
    await expect(open(second.store, late)).rejects.toBe(unavailable);
    expect([first.calls, second.calls]).toEqual([1, 1]);
  });

  test('data that a user saved during a renewal wins', async () => {
    const { store, state } = aStore({ token: 'old' });
    const renewal = aRenewal(async () => {
      state.record = vault.seal(subject, { token: 'given by the user' });
      state.holder = undefined;
      return { token: 'new' };
    });
    expect(await open(store, renewal)).toEqual({ token: 'given by the user' });
  });

  test('a caller that waits for another’s renewal stops when its signal fires', async () => {
    const { store, state } = aStore({ token: 'old' });
    state.holder = 'somebody else';
    const reason = new Error('canceled');
    const abort = new AbortController();
    const opened = open(store, aRenewal(), abort.signal);
    abort.abort(reason);
    await expect(opened).rejects.toBe(reason);
  });
});
