import { afterAll, describe, expect, test } from '@jest/globals';
import { noNodePackages } from '@sluice/node-packages';
import { defineCredentialType, type NodeType } from '@sluice/node-sdk';
import { startTestApi } from './support/test-api.ts';

const acmeApi = defineCredentialType({
  name: 'acmeApi',
  displayName: 'Acme',
  properties: [{ displayName: 'Key', name: 'key', type: 'string', default: '', typeOptions: { password: true } }],
});

const bareApi = defineCredentialType({ name: 'bareApi', displayName: 'Bare', properties: [] });

const acme: NodeType = {
  description: {
    displayName: 'Acme',
    name: 'acme',
    group: ['transform'],
    version: 1,
    description: '',
    defaults: { name: 'Acme' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [],
    credentials: [{ name: 'acmeApi', testedBy: 'tryKey' }],
  },
  execute: () => [],
  methods: { credentialTest: { tryKey: async () => ({ status: 'OK', message: '' }) } },
};

const nodePackages = { ...noNodePackages, credentialTypes: [acmeApi, bareApi], nodeTypes: new Map([['acme.acme', acme]]) };
const api = await startTestApi({}, undefined, { nodePackages });
afterAll(() => api.close());

describe('credential types', () => {
  test('are listed in pages, ordered by name, including types from packages', async () => {
    const { body: all } = await api.call('GET', '/credential-types?limit=250');
    const names = all.data.map(({ name }: { name: string }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(names).toEqual(expect.arrayContaining(['acmeApi', 'httpBasicAuth', 'oAuth2Api', 'postgres']));
    const first = await api.call('GET', '/credential-types?limit=2');
    const second = await api.call('GET', `/credential-types?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(all.data.slice(0, 4));
    for (const query of ['cursor=x', 'limit=0', 'limit=251']) {
      expect((await api.call('GET', `/credential-types?${query}`)).status).toBe(400);
    }
  });

  test('describe how they authenticate, connect, and are tested', async () => {
    const { body } = await api.call('GET', '/credential-types?limit=250');
    const of = (name: string) => body.data.find((type: { name: string }) => type.name === name);
    expect(of('httpBasicAuth')).toEqual({
      name: 'httpBasicAuth',
      displayName: 'Basic Auth',
      documentationUrl: 'https://www.rfc-editor.org/rfc/rfc7617',
      authentication: ['request'],
      connectsByOAuth2: false,
      testable: true,
    });
    expect(of('oAuth2Api')).toMatchObject({ authentication: ['request', 'token', 'consent'], connectsByOAuth2: true });
    expect(of('httpDigestAuth').authentication).toEqual(['challenge']);
    expect(of('postgres')).toMatchObject({ authentication: [], testable: true });
    expect(of('acmeApi')).toMatchObject({ documentationUrl: null, testable: true });
    expect(of('sshPassword').authentication).toEqual([]);
    expect(of('bareApi').testable).toBe(false);
  });

  test('can be read individually, with fields and schema', async () => {
    const { body } = await api.call('GET', '/credential-types/httpBasicAuth');
    const schema = (await api.call('GET', '/credentials/schema/httpBasicAuth')).body;
    expect(body).toMatchObject({ name: 'httpBasicAuth', schema });
    expect(body.properties).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'password', typeOptions: expect.objectContaining({ password: true }) }),
      ]),
    );
    for (const none of ['nonsense', '__proto__', 'toString', '%00']) {
      expect((await api.call('GET', `/credential-types/${none}`)).status).toBe(404);
    }
  });

  test('require the scope credential:list', async () => {
    const { user } = await api.newUser('member');
    const listing = await api.newKey(user.id, { scopes: ['credential:list'] });
    const other = await api.newKey(user.id, { scopes: ['credential:create'] });
    for (const path of ['/credential-types', '/credential-types/httpBasicAuth']) {
      expect((await api.call('GET', path, { key: listing })).status).toBe(200);
      const refused = await api.call('GET', path, { key: other });
      expect([refused.status, refused.body.details]).toEqual([403, [{ path: 'scope', message: 'credential:list' }]]);
    }
  });
});
