import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Access, CredentialRepository, ExecutionRepository, ExecutionStarter, WorkflowRepository } from '@sluice/db';
import { type JsonObject, randomId } from '@sluice/domain';
import { type LoopbackServer, listening } from '@sluice/http-client/testing';
import { adaptNodeType } from '@sluice/n8n-compat';
import { declarativeExecute, type NodeType } from '@sluice/node-sdk';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { aChain, aNode, eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { Fleet } from './support/fleet.ts';
import { probeOf } from './support/probe-of.ts';

const vault = new Vault(KeyRing.parse([testMasterKey]));
const secret = 'sentinel-key';

/** The service that the credential owner allows, and another server. */
const servers: LoopbackServer[] = [];
let received: { home: IncomingMessage[]; thief: IncomingMessage[] };

async function serve(name: 'home' | 'thief'): Promise<LoopbackServer> {
  const server = await listening(
    createServer((request, response) => {
      received[name].push(request);
      if (request.url?.startsWith('/away')) response.writeHead(302, { location: `${thief.url}/taken` }).end();
      else if (request.url?.startsWith('/token')) response.end('{"access_token":"sentinel-token"}');
      else response.setHeader('content-type', 'application/json').end('{"ok":true}');
    }),
  );
  servers.push(server);
  return server;
}

const description = { ...probeOf(async () => []).description, credentials: [{ name: 'httpHeaderAuth' }] };
const declarativeDescription = {
  ...description,
  requestDefaults: { baseURL: '={{ $parameter.url }}', url: '/' },
  properties: [{ displayName: 'URL', name: 'url', type: 'string' as const, default: '' }],
};
const declarative: NodeType = { description: declarativeDescription, execute: declarativeExecute(declarativeDescription) };

/** A community type that sends requests to a URL chosen by users. */
const community = adaptNodeType({
  description: {
    ...description,
    properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
  },
  async execute(this: {
    getNodeParameter(name: string, item: number): string;
    helpers: { httpRequestWithAuthentication: { call(self: unknown, type: string, options: object): Promise<JsonObject> } };
  }) {
    const url = this.getNodeParameter('url', 0);
    return [[{ json: await this.helpers.httpRequestWithAuthentication.call(this, 'httpHeaderAuth', { url, json: true }) }]];
  },
} as never);

/** A community type that reads the credential and adds it to requests itself. */
const attaching = adaptNodeType({
  description: {
    ...description,
    properties: [{ displayName: 'URL', name: 'url', type: 'string', default: '' }],
  },
  async execute(this: {
    getNodeParameter(name: string, item: number): string;
    getCredentials(type: string): Promise<{ name: string; value: string }>;
    helpers: { httpRequest(options: object): Promise<JsonObject> };
  }) {
    const url = this.getNodeParameter('url', 0);
    const { name, value } = await this.getCredentials('httpHeaderAuth');
    return [[{ json: await this.helpers.httpRequest({ url, headers: { [name]: value }, json: true }) }]];
  },
} as never);

const base = createNodeTypeRegistry(baseNodeTypes);
const ofTests = new Map(Object.entries({ declarative, community, attaching }).map(([name, type]) => [`test.${name}`, type]));
const nodeTypes = { find: (name: string) => ofTests.get(name) ?? base.find(name) };

const [home, thief] = [await serve('home'), await serve('thief')];
const fleet = await Fleet.start({ SSRF_PROTECTION: 'off' });
await fleet.work({ engine: { nodeTypes } });
beforeEach(() => {
  received = { home: [], thief: [] };
});
afterAll(async () => {
  await fleet.close();
  for (const server of servers) await server.close();
});

/** Parameters for each kind of node that sends a credential to a URL. */
const kinds: [name: string, type: string, parametersFor: (url: string, credential: string) => JsonObject][] = [
  [
    'HTTP Request',
    'n8n-nodes-base.httpRequest',
    (url, nodeCredentialType) => ({ url, authentication: 'predefinedCredentialType', nodeCredentialType, options: {} }),
  ],
  ['a declarative node', 'test.declarative', (url) => ({ url })],
  ['a community node', 'test.community', (url) => ({ url })],
  ['a community node that attaches the credential itself', 'test.attaching', (url) => ({ url })],
];

async function run(type: string, parameters: JsonObject, credentialType: string, data: JsonObject) {
  const { kysely } = fleet.db;
  const projectId = await fleet.aProject();
  const subject = { id: randomId(), type: credentialType };
  const sealed = vault.seal(subject, data);
  await new CredentialRepository(kysely).create({
    ...subject,
    projectId,
    name: 'c',
    isGlobal: false,
    isResolvable: false,
    sealed,
  });
  const credentials = { [credentialType]: { id: subject.id, name: 'c' } };
  const graph = aChain([aNode({ name: 'it', type, typeVersion: type.startsWith('test') ? 1 : 4.2, parameters, credentials })]);
  const created = { projectId, graph, staticData: null, meta: null, authorId: fleet.userId };
  const { id: workflowId, graphHash } = await new WorkflowRepository(kysely).create(created, new Access('all'));
  const access = new Access('all');
  const started = { workflowId, access, graphHash, mode: 'manual' as const, userId: null };
  const executionId = await new ExecutionStarter(fleet.db).start(started);
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  return eventually(async () => {
    const execution = await new ExecutionRepository(fleet.db).get(executionId, access);
    return ['success', 'error', 'crashed'].includes(execution.status) && execution;
  });
}

const headerAuth = (allowedDomains: string) => ({
  name: 'x-key',
  value: secret,
  allowedHttpRequestDomains: 'domains',
  allowedDomains,
});

describe.each(kinds)('%s', (_, type, parametersFor) => {
  const runFor = (url: string, allowed: string) =>
    run(type, parametersFor(url, 'httpHeaderAuth'), 'httpHeaderAuth', headerAuth(allowed));

  test('sends a credential to an allowed host', async () => {
    expect(await runFor(`${home.url}/`, `127.0.0.1:${home.port}`)).toMatchObject({ status: 'success' });
    expect(received.home.map(({ headers }) => headers['x-key'])).toEqual([secret]);
  });

  test('fails with CREDENTIAL_HOST_NOT_ALLOWED before it sends anything to another host', async () => {
    const { status, error } = await runFor(`${thief.url}/`, `127.0.0.1:${home.port}`);
    expect([status, error?.code]).toEqual(['error', 'CREDENTIAL_HOST_NOT_ALLOWED']);
    expect(received.thief).toEqual([]);
  });

  test('does not follow a redirect to another host', async () => {
    const { status } = await runFor(`${home.url}/away`, `127.0.0.1:${home.port}`);
    expect(status).toBe('error');
    expect(received.home).toHaveLength(1);
    expect(received.thief).toEqual([]);
  });
});

describe('other ways to send a credential', () => {
  const [, httpRequest, parametersFor] = kinds[0] as (typeof kinds)[number];

  test('a proxy that is not an allowed host receives neither the credential nor the request', async () => {
    const parameters = { ...parametersFor(`${home.url}/`, 'httpHeaderAuth'), options: { proxy: thief.url } };
    const { error } = await run(httpRequest, parameters, 'httpHeaderAuth', headerAuth(`127.0.0.1:${home.port}`));
    expect(error?.code).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(received).toEqual({ home: [], thief: [] });
  });

  test('a proxy that may terminate TLS does not receive the credential of a service', async () => {
    const parameters = {
      ...parametersFor('https://api.github.com/user', 'githubApi'),
      options: { proxy: thief.url, allowUnauthorizedCerts: true },
    };
    const { error } = await run(httpRequest, parameters, 'githubApi', {
      server: 'https://api.github.com',
      accessToken: secret,
    });
    expect(error?.code).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(received.thief).toEqual([]);
  });

  test('OAuth2 sends no request to a disallowed token endpoint', async () => {
    const data = {
      grantType: 'clientCredentials',
      accessTokenUrl: `${thief.url}/token`,
      clientId: 'i',
      clientSecret: secret,
      allowedHttpRequestDomains: 'domains',
      allowedDomains: `127.0.0.1:${home.port}`,
    };
    const { error } = await run(httpRequest, parametersFor(`${home.url}/`, 'oAuth2Api'), 'oAuth2Api', data);
    expect(error?.code).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(received).toEqual({ home: [], thief: [] });
  });

  test('digest authentication sends no unauthenticated request to a disallowed host', async () => {
    const data = { ...headerAuth(`127.0.0.1:${home.port}`), user: 'ann', password: secret };
    const { error } = await run(httpRequest, parametersFor(`${thief.url}/`, 'httpDigestAuth'), 'httpDigestAuth', data);
    expect(error?.code).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(received.thief).toEqual([]);
  });

  test('the credential of a service is sent only to the hosts of the service, without any setting', async () => {
    const parameters = parametersFor(`${thief.url}/`, 'slackApi');
    const { error } = await run(httpRequest, parameters, 'slackApi', { accessToken: secret });
    expect(error?.code).toBe('CREDENTIAL_HOST_NOT_ALLOWED');
    expect(received.thief).toEqual([]);
  });
});
