import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommunityJob, CommunityResult } from '../tests/run-community-nodes.ts';
import { writePackage } from './testing/write-package.ts';

// Each test starts a process that compiles all of its imports.
const runner = fileURLToPath(new URL('../tests/run-community-nodes.ts', import.meta.url));
/** Halves the startup time of all processes except the first. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Runs in a separate process, because Jest does not allow module loader hooks. */
async function run(job: CommunityJob): Promise<CommunityResult> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache };
  const child = spawn(process.execPath, ['--conditions=source', runner], { env });
  child.stdin.end(JSON.stringify(job));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(errors);
  return JSON.parse(out) as CommunityResult;
}

/** Files as published: compiled to CommonJS. */
const description = (name: string, more = '') => `{ displayName: '${name}', name: '${name}', group: ['transform'], version: 1,
  description: '', defaults: { name: '${name}' }, inputs: ['main'], outputs: ['main'], properties: [], ${more} }`;
const nodeFile = (name: string, members: string, more = '') => `
  const w = require('n8n-workflow');
  class ${name} { constructor() { this.description = ${description(name, more)}; } ${members} }
  exports.${name} = ${name};`;

let folder: string;
let broken: string;

async function write(name: string, files: Record<string, string>, into = folder): Promise<void> {
  const listed = Object.keys(files);
  const n8n = {
    n8nNodesApiVersion: 1,
    nodes: listed.filter((file) => file.endsWith('.node.js')),
    credentials: listed.filter((file) => file.endsWith('.credentials.js')),
  };
  await writePackage(into, name, { manifest: { type: 'commonjs', n8n }, files });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'community-'));
  broken = await mkdtemp(join(tmpdir(), 'community-broken-'));
  await write('@acme/n8n-nodes-api', {
    'AcmeApi.credentials.js': `
      class AcmeApi {
        constructor() {
          this.name = 'acmeApi'; this.displayName = 'Acme';
          this.properties = [
            { displayName: 'Url', name: 'url', type: 'string', default: '' },
            { displayName: 'Plan', name: 'plan', type: 'string', default: 'free' },
            { displayName: 'Key', name: 'key', type: 'string', typeOptions: { password: true }, default: '' }];
          this.authenticate = { type: 'generic', properties: { headers: { Authorization: '={{ "Bearer " + $credentials.key }}' } } };
        }
      }
      exports.AcmeApi = AcmeApi;`,
    'Programmed.node.js': nodeFile(
      'Programmed',
      `async execute() {
        const kept = this.getWorkflowStaticData('node');
        kept.runs = (kept.runs ?? 0) + 1;
        const out = [];
        for (const [i, item] of this.getInputData().entries()) {
          item.json.changed = true;
          const { url, plan } = await this.getCredentials('acmeApi');
          const path = this.getNodeParameter('path', i);
          try {
            const received = await this.helpers.httpRequestWithAuthentication.call(this, 'acmeApi', { url: url + path, qs: { plan }, json: true });
            const file = await this.helpers.prepareBinaryData(Buffer.from('hello'), 'a.txt', 'text/plain');
            out.push({ json: { ...received, seen: item.json }, binary: { file, made: { data: 'aGk=', mimeType: 'text/plain' } }, pairedItem: { item: i } });
          } catch (error) {
            if (this.continueOnFail()) { out.push({ json: { error: error.message }, pairedItem: { item: i } }); continue; }
            throw error;
          }
        }
        return [out];
      }`,
      `credentials: [{ name: 'acmeApi', required: true }],
       properties: [
         { displayName: 'Kind', name: 'kind', type: 'options', options: [{ name: 'A', value: 'a' }], default: 'a' },
         { displayName: 'Path', name: 'path', type: 'string', default: '/never', displayOptions: { show: { kind: ['b'] } } },
         { displayName: 'Path', name: 'path', type: 'string', default: '/default', displayOptions: { show: { kind: ['a'] } } }]`,
    ),
    'Declared.node.js': nodeFile(
      'Declared',
      '',
      `credentials: [{ name: 'acmeApi', required: true }],
       requestDefaults: { baseURL: '={{ $credentials.url.replace(/\\\\/$/, "") }}', qs: { plan: '={{ $credentials.plan }}' } },
       properties: [
         { displayName: 'Operation', name: 'operation', type: 'options', default: 'create', options: [{ name: 'Create', value: 'create', routing: {
           request: { method: 'POST', url: '=/people/{{ $parameter["team"] }}' },
           send: { preSend: [async function (options) { options.body.by = this.getNodeParameter('name'); return options; }] },
           output: { postReceive: [{ type: 'rootProperty', properties: { property: 'people' } },
             async function (items, response) { return items.map((item) => ({ json: { ...item.json, status: response.statusCode } })); }] } } }] },
         { displayName: 'Operation', name: 'operation', type: 'notice', default: '' },
         { displayName: 'Team', name: 'team', type: 'resourceLocator', default: { mode: 'id', value: '' }, modes: [
           { displayName: 'Url', name: 'url', type: 'string', extractValue: { type: 'regex', regex: '/teams/([0-9]+)' } }] },
         { displayName: 'Name', name: 'name', type: 'string', default: '', routing: { send: { type: 'body', property: 'person.name' } } }]`,
    ),
    'Paged.node.js': nodeFile(
      'Paged',
      '',
      `credentials: [{ name: 'acmeApi', required: true }],
       requestDefaults: { baseURL: '={{ $credentials.url }}', url: '/all' },
       requestOperations: { async pagination(asked) {
         const items = [];
         for (let page = 1; page <= 2; page++) {
           asked.options.qs = { ...asked.options.qs, page };
           items.push(...await this.makeRoutingRequest(asked));
         }
         return items;
       } },
       properties: [{ displayName: 'All', name: 'all', type: 'boolean', default: true, routing: { send: { paginate: '={{ $value }}' } } }]`,
    ),
  });
  await write('n8n-nodes-versions', {
    'Versioned.node.js': `
      const { VersionedNodeType, NodeConnectionTypes } = require('n8n-workflow');
      if (require('acme-shared').main !== 'main') throw new Error('no such module');
      const common = { displayName: 'Versioned', name: 'versioned', group: ['transform'], description: '', defaultVersion: 2 };
      class One { description = { ...common, version: [1, 1.1], defaults: { name: 'V' }, inputs: [NodeConnectionTypes.Main], outputs: [{ type: 'main' }],
          properties: [
            { displayName: 'A', name: 'a', type: 'string', default: 'old', displayOptions: { hide: { '@version': [{ _cnd: { gte: 1.1 } }] } } },
            { displayName: 'A', name: 'a', type: 'string', default: 'new', displayOptions: { show: { '@version': [{ _cnd: { gte: 1.1 } }] } } }] };
        async execute() { return [[{ json: { a: this.getNodeParameter('a', 0) } }]]; } }
      class Two { description = { ...common, version: 2, defaults: { name: 'V' }, inputs: ['main'], outputs: ['main'], properties: [] };
        async execute() { return this.prepareOutputData(this.helpers.returnJsonArray({ two: true })); } }
      class Versioned extends VersionedNodeType { constructor() { const one = new One(); super({ 1: one, 1.1: one, 2: new Two() }, common); } }
      exports.Versioned = Versioned;`,
  });
  // A bundled copy of the module is ignored.
  const copy = join(folder, 'node_modules/n8n-workflow');
  await mkdir(copy, { recursive: true });
  await writeFile(join(copy, 'package.json'), '{"name":"n8n-workflow","version":"1.0.0","main":"index.js"}');
  await writeFile(join(copy, 'index.js'), 'throw new Error("the copy was loaded")');

  // The importing package is ignored, too: here, a dependency of several packages.
  const dependency = join(folder, 'node_modules/acme-shared');
  await mkdir(dependency, { recursive: true });
  await writeFile(join(dependency, 'package.json'), '{"name":"acme-shared","version":"1.0.0","main":"index.js"}');
  await writeFile(join(dependency, 'index.js'), "exports.main = require('n8n-workflow').NodeConnectionTypes.Main;");

  await write('n8n-nodes-a-works', { 'Fine.node.js': nodeFile('Fine', 'async execute() { return [[]]; }') }, broken);
  await write(
    'n8n-nodes-b-missing',
    { 'B.node.js': "const w = require('n8n-workflow'); class B extends w.NoSuchThing {} exports.B = B;" },
    broken,
  );
  await write(
    'n8n-nodes-c-throws',
    { 'C.node.js': "class C { constructor() { throw new Error('no luck'); } } exports.C = C;" },
    broken,
  );
  await write(
    'n8n-nodes-d-hostile',
    {
      'D.node.js': `class D { constructor() { this.description = { displayName: 7, version: 'x', properties: [{ name: 'a', type: 'collection', options: 3 }],
        get name() { throw new Error('not yours'); } }; } async execute() {} } exports.D = D;`,
    },
    broken,
  );
  await write(
    'n8n-nodes-e-circular',
    {
      'E.node.js': `const properties = [{ name: 'a', type: 'collection', default: {} }]; properties[0].options = properties;
        class E { constructor() { this.description = { displayName: 'E', name: 'e', version: 1, properties }; } async execute() {} } exports.E = E;`,
    },
    broken,
  );
  await write('n8n-nodes-f-nothing', { 'F.node.js': 'exports.a = 1;' }, broken);
  await writePackage(broken, 'n8n-nodes-g-esm', {
    manifest: { n8n: { nodes: ['G.node.js'] } },
    files: { 'G.node.js': "import { NoSuchThing } from 'n8n-workflow'; export class G { description = NoSuchThing; }" },
  });
});
afterAll(() => Promise.all([folder, broken].map((path) => rm(path, { recursive: true }))));

const outputOf = ({ runs }: CommunityResult) => runs[0]?.run.data?.['main']?.[0];
const credentials = { acmeApi: { url: '{{url}}', key: 'k-1' } };

describe('community packages', () => {
  test('provide types under the names that workflows use', async () => {
    const { nodeTypes, credentialTypes, failures } = await run({ folder });
    expect(failures).toEqual([]);
    expect(nodeTypes).toEqual([
      '@acme/n8n-nodes-api.Programmed',
      '@acme/n8n-nodes-api.Declared',
      '@acme/n8n-nodes-api.Paged',
      'n8n-nodes-versions.versioned',
    ]);
    expect(credentialTypes).toEqual(['acmeApi']);
  });

  test('run code: credentials, visible defaults, files, pairing, static data', async () => {
    const result = await run({
      folder,
      node: { type: '@acme/n8n-nodes-api.Programmed', parameters: {} },
      items: [{ n: 1 }],
      credentials,
      staticData: { 'node:Node': { runs: 4 } },
      responses: [{ body: { ok: true } }],
    });
    expect(result.requests).toMatchObject([
      { method: 'GET', url: '/default?plan=free', headers: { authorization: 'Bearer k-1' } },
    ]);
    expect(outputOf(result)).toEqual([
      {
        json: { ok: true, seen: { n: 1, changed: true } },
        binary: {
          file: { id: 'file-0', mimeType: 'text/plain', fileName: 'a.txt', fileSize: 5 },
          made: { id: 'file-1', mimeType: 'text/plain', fileSize: 2 },
        },
        pairedItem: { item: 0 },
      },
    ]);
    expect(result.files).toEqual({ 'file-0': 'hello', 'file-1': 'hi' });
    expect(result.outcome?.staticData).toEqual({ 'node:Node': { runs: 5 } });
  });

  test.each([
    ['stopWorkflow', undefined, undefined],
    ['continueRegularOutput', 0, { error: expect.any(String) }],
    ['continueErrorOutput', 1, { n: 1, error: expect.any(String) }],
  ] as const)('fail as their node says: %s', async (onError, output, json) => {
    const result = await run({
      folder,
      node: { type: '@acme/n8n-nodes-api.Programmed', parameters: { path: '/gone' }, onError },
      items: [{ n: 1 }],
      credentials,
      responses: [{ status: 404, body: { message: 'unknown account' } }],
    });
    if (output === undefined) {
      expect(result.outcome).toMatchObject({
        status: 'error',
        error: { code: 'NODE_API_ERROR', description: 'unknown account', details: { status: 404 } },
      });
    } else {
      expect(result.runs[0]?.run.data?.['main']?.[output]).toEqual([expect.objectContaining({ json })]);
    }
  });

  test('run routing: expressions, functions before and after the request, locators', async () => {
    const result = await run({
      folder,
      node: {
        type: '@acme/n8n-nodes-api.Declared',
        parameters: { name: '={{ $json.who }}', team: { __rl: true, mode: 'url', value: 'https://acme.example/teams/42' } },
      },
      items: [{ who: 'Ada' }, { who: '={{ $json }}' }],
      credentials: { acmeApi: { url: '{{url}}/', key: 'k-1' } },
      responses: [{ status: 201, body: { people: [{ id: 1 }] } }],
    });
    expect(result.requests.map(({ method, url, body }) => ({ method, url, body: JSON.parse(body) }))).toEqual([
      { method: 'POST', url: '/people/42?plan=free', body: { person: { name: 'Ada' }, by: 'Ada' } },
      { method: 'POST', url: '/people/42?plan=free', body: { person: { name: '={{ $json }}' }, by: '={{ $json }}' } },
    ]);
    expect(outputOf(result)?.map(({ json }) => json)).toEqual([
      { id: 1, status: 201 },
      { id: 1, status: 201 },
    ]);
  });

  test('fetch pages with a function', async () => {
    const result = await run({
      folder,
      node: { type: '@acme/n8n-nodes-api.Paged', parameters: {} },
      credentials,
      responses: [{ body: [{ id: 1 }] }, { body: [{ id: 2 }] }],
    });
    expect(result.outcome).toEqual({ status: 'success', lastNodeExecuted: 'Node' });
    expect(result.requests.map(({ url }) => url)).toEqual(['/all?page=1', '/all?page=2']);
    expect(outputOf(result)?.map(({ json }) => json)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each([
    [1, { a: 'old' }],
    [1.1, { a: 'new' }],
    [undefined, { two: true }],
  ])('have versions: %p', async (typeVersion, json) => {
    const node = { type: 'n8n-nodes-versions.versioned', parameters: {}, ...(typeVersion !== undefined && { typeVersion }) };
    expect(outputOf(await run({ folder, node }))?.map((item) => item.json)).toEqual([json]);
  });

  test('that fail are reported by file and field and do not affect others', async () => {
    const { nodeTypes, failures } = await run({ folder: broken });
    expect(nodeTypes).toEqual(['n8n-nodes-a-works.Fine']);
    const reasons = Object.fromEntries(failures.map((failure) => [failure.package, failure.reason]));
    expect(Object.keys(reasons)).toHaveLength(6);
    expect(reasons['n8n-nodes-b-missing']).toContain('n8n-workflow does not export NoSuchThing');
    expect(reasons['n8n-nodes-c-throws']).toBe('C.node.js cannot be loaded: no luck');
    for (const field of [
      '/description/displayName',
      '/description/version',
      '/description/name throws',
      '/description/properties/0/options',
    ])
      expect(reasons['n8n-nodes-d-hostile']).toContain(field);
    expect(reasons['n8n-nodes-e-circular']).toContain('is nested deeper than');
    expect(reasons['n8n-nodes-f-nothing']).toContain('F.node.js');
    expect(reasons['n8n-nodes-g-esm']).toContain("'n8n-workflow' does not provide an export named 'NoSuchThing'");
  });

  test('are loaded only if the operator lists them', async () => {
    const { nodeTypes, failures } = await run({ folder, allow: ['@acme/*'] });
    expect(nodeTypes).toHaveLength(3);
    expect(failures).toEqual([{ package: 'n8n-nodes-versions', reason: 'SLUICE_NODES_ALLOW does not name it' }]);
  });
});
