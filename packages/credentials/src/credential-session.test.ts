import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@sluice/domain';
import { type CredentialPorts, type CredentialTypeDefinition, defineCredentialType } from '@sluice/node-sdk';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import { CredentialOpener } from './credential-opener.ts';
import { CredentialSession } from './credential-session.ts';
import type { CredentialUseEntry } from './credential-user.ts';

const subject = { id: 'c1', type: 'acmeApi' };
const { signal } = new AbortController();
const field = (name: string, password = false) =>
  ({ displayName: name, name, type: 'string', default: '', typeOptions: { password } }) as const;

/** A session over one stored credential. */
function aSession(type: Partial<CredentialTypeDefinition> = {}, stored: JsonObject = { host: 'h', key: 'sentinel-key' }) {
  const vault = new Vault(KeyRing.parse([generateMasterKey()]));
  const defined = defineCredentialType({
    name: subject.type,
    displayName: 'Acme',
    properties: [field('host'), field('key', true)],
    authenticate: { headers: { 'X-Key': '{key}' } },
    ...type,
  });
  const usedBy = { actor: 'execution:1', userId: 'u', projectId: 'p', details: null };
  const row = { type: subject.type, name: 'Mine', usable: true, sealed: vault.seal(subject, stored), usedBy };
  const entries: CredentialUseEntry[] = [];
  const clock = { ms: 0, reads: 0 };
  const opener = new CredentialOpener({
    credentialUses: {
      claimRenewal: async () => 'r',
      storeRenewed: async (_id, _renewal, sealed) => {
        row.sealed = sealed as typeof row.sealed;
        return true;
      },
      releaseRenewal: async () => undefined,
    },
    vault,
    types: { find: (name) => (name === subject.type ? defined : undefined) },
    ports: { now: () => 0 } as unknown as CredentialPorts,
    audit: { record: (entry) => entries.push(entry) },
  });
  const find = async (id: string) => {
    clock.reads += 1;
    return id === subject.id ? row : undefined;
  };
  return { session: new CredentialSession(opener, { find }, { now: () => clock.ms }), row, entries, clock };
}

describe('a session of credentials', () => {
  test('lets requests reach the API of this service with a credential for it only', async () => {
    const { session } = aSession({ ownApiField: 'host' });
    expect((await session.authentication(subject, signal)).ownApi).toBe(true);
    expect((await aSession().session.authentication(subject, signal)).ownApi).toBeUndefined();
  });

  test('gives each node a copy, and scrubs the secrets of opened credentials', async () => {
    const { session } = aSession();
    const data = await session.open(subject, signal);
    data['host'] = 'changed';
    expect((await session.open(subject, signal))['host']).toBe('h');
    expect(session.scrubber.scrubText('h sentinel-key')).toBe('h ***REDACTED***');
  });

  test('scrubs all fields that the type does not define', async () => {
    const { session } = aSession({}, { host: 'h', key: 'k', other: 'unknown-field' });
    await session.open(subject, signal);
    expect(session.scrubber.scrubText('unknown-field')).toBe('***REDACTED***');
  });

  test('checks access again after a second, so that a revoked share takes effect', async () => {
    const { session, row, clock } = aSession();
    await session.open(subject, signal);
    row.usable = false;
    await session.open(subject, signal);
    expect(clock.reads).toBe(1);
    clock.ms = 1_001;
    await expect(session.open(subject, signal)).rejects.toMatchObject({ code: 'CREDENTIAL_NOT_ACCESSIBLE' });
  });

  test('makes one audit entry per credential and outcome', async () => {
    const { session, row, entries, clock } = aSession();
    for (const usable of [true, true, false, false]) {
      row.usable = usable;
      clock.ms += 2_000;
      await session.open(subject, signal).catch(() => undefined);
    }
    expect(entries.map(({ outcome, objectId, actor }) => [outcome, objectId, actor])).toEqual([
      ['success', 'c1', 'execution:1'],
      ['denied', 'c1', 'execution:1'],
    ]);
  });

  test('does not find a credential under another type', async () => {
    const { session } = aSession();
    for (const other of [
      { ...subject, type: 'otherApi' },
      { ...subject, id: 'c2' },
    ])
      await expect(session.open(other, signal)).rejects.toMatchObject({ code: 'CREDENTIAL_NOT_FOUND' });
  });

  test('attaches the credential to a request, and renews it once the service refused it', async () => {
    let logins = 0;
    const { session } = aSession({
      authenticate: { headers: { 'X-Session': '{session}' } },
      preAuthentication: { validForMs: 60_000, obtain: async () => ({ session: `session-${++logins}` }) },
    });
    const authentication = await session.authentication(subject, signal);
    const request = { method: 'GET', url: 'https://h/' };
    expect((await authentication.authenticate?.(request, signal))?.headers).toEqual({ 'X-Session': 'session-1' });
    const renewed = await authentication.renewed?.(signal);
    expect((await renewed?.authenticate?.(request, signal))?.headers).toEqual({ 'X-Session': 'session-2' });
    expect(logins).toBe(2);
  });
});
