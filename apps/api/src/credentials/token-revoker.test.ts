import { expect, test } from '@jest/globals';
import { createLogger } from '@sluice/logger';
import { type CredentialPorts, type CredentialType, defineCredentialType, type JsonObject } from '@sluice/node-sdk';
import { eventually } from '@sluice/test-support';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import { TokenRevoker } from './token-revoker.ts';

const vault = new Vault(KeyRing.parse([generateMasterKey()]));

/**
 * A revoker for two types of one service. `remaining` are the types of the remaining credentials.
 */
function aRevoker({ sharedGrant, remaining = [] }: { sharedGrant?: string; remaining?: string[] }) {
  const revoked: JsonObject[] = [];
  const lines: { level: number; msg: string; error?: string }[] = [];
  const typeNamed = (name: string): CredentialType =>
    defineCredentialType({
      name,
      displayName: name,
      properties: [],
      revocation: {
        ...(sharedGrant !== undefined && { sharedGrant }),
        revoke: async ({ oauthTokenData: token }) => {
          if ((token as JsonObject)['access_token'] === 'fails') throw new Error('the service knows no token fails');
          revoked.push(token as JsonObject);
        },
      },
    });
  const types = [typeNamed('acmeMail'), typeNamed('acmeFiles')];
  const revoker = new TokenRevoker({
    credentials: { existsOfTypes: async (names) => remaining.some((name) => names.includes(name)) },
    types: {
      find: (name) => types.find((type) => type.name === name),
      rulesOf: () => ({ knownFields: new Set(), secretFields: new Set() }),
    },
    listTypes: () => types,
    vault,
    ports: {} as CredentialPorts,
    logger: createLogger({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } }),
    timeoutMs: 1_000,
  });
  const deleted = (type: string, access_token = 't') => {
    const subject = { id: 'c', type };
    const data = access_token === '' ? {} : { oauthTokenData: { access_token } };
    revoker.afterDeletion({ ...subject, sealed: vault.seal(subject, data) });
  };
  return { revoker, revoked, lines, deleted };
}

test.each<[string | undefined, string[], object[]]>([
  [undefined, ['acmeMail'], [{ access_token: 't' }]],
  ['acme', [], [{ access_token: 't' }]],
  ['acme', ['other'], [{ access_token: 't' }]],
  ['acme', ['acmeFiles'], []],
])(
  'a grant (%s) is revoked unless one of the remaining credentials (%j) may share it',
  async (sharedGrant, remaining, expected) => {
    const { deleted, revoked, lines } = aRevoker({ ...(sharedGrant !== undefined && { sharedGrant }), remaining });
    deleted('acmeMail');
    await eventually(() => expect(lines).toHaveLength(1));
    expect(revoked).toEqual(expected);
  },
);

const tokens = (access_token: string): JsonObject => ({ oauthTokenData: { access_token } });

test.each<[string | undefined, string, object[]]>([
  [undefined, 'new', [{ access_token: 'old' }]],
  [undefined, 'old', []],
  ['acme', 'new', []],
])(
  'replaced tokens (grant: %s, new token: %s) are revoked unless that would also revoke the new ones',
  async (sharedGrant, now, expected) => {
    const { revoker, revoked, lines } = aRevoker(sharedGrant === undefined ? {} : { sharedGrant });
    revoker.afterReplacement({ id: 'c', type: 'acmeMail' }, tokens('old'), tokens(now));
    await eventually(() => expect(lines).toHaveLength(1));
    expect(revoked).toEqual(expected);
  },
);

test('a failure is logged without the token', async () => {
  const { deleted, lines } = aRevoker({});
  deleted('acmeMail', 'fails-secret');
  deleted('acmeMail', 'fails');
  deleted('unknown');
  deleted('acmeMail', ''); // never connected
  await eventually(() => expect(lines.map(({ msg }) => msg).sort()).toEqual(['tokens not revoked', 'tokens revoked']));
  expect(lines.find(({ error }) => error)?.error).toBe('the service knows no token ***REDACTED***');
});
