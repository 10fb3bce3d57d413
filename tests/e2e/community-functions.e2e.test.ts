import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aChain, aNode, eventually } from '@sluice/test-support';
import { type RunningService, startService } from './harness.ts';
import { stopIn } from './support/cleanup.ts';
import { createWorkflow, expectStatus, run } from './support/runs.ts';
import { trigger } from './support/workflows.ts';

const description = (name: string, more = '') => `{
  displayName: '${name}', name: '${name}', group: ['transform'], version: 1, description: 'For tests', defaults: { name: '${name}' },
  inputs: ['main'], outputs: ['main'], properties: [{ displayName: 'Address', name: 'address', type: 'string', default: '' }], ${more}
}`;

/** A node that, like many packages, calls functions of the host outside of runs. */
const notes = `const { LoggerProxy, recordConsumedAuth } = require('n8n-workflow');
LoggerProxy.info('a module is loaded');
exports.Notes = class {
  description = ${description('notes')};
  async execute() {
    this.addExecutionHints({ message: 'Look here', location: 'outputPane', type: 'warning' });
    this.setMetadata({ subExecution: { executionId: '7', workflowId: 'w' } });
    this.setSignatureValidationRequired();
    recordConsumedAuth({ token: 'do not disclose' });
    LoggerProxy.warn('a module says so', { n: 1 });
    const checked = await this.helpers.getSecureEgressFilter().validateUrl(this.getNodeParameter('address', 0));
    return [[{ json: { ok: checked.ok, message: checked.error?.message ?? null } }]];
  }
};`;

const gate = `exports.Gate = class {
  description = ${description('gate', "webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'calls' }],")};
  async webhook() {
    const token = (this.getHeaderData().authorization ?? '').replace(/^Bearer /, '');
    const response = this.getResponseObject();
    try {
      const { user } = await this.validateN8nOAuth2Token(token, this.getNodeWebhookUrl('default'));
      await this.establishTriggerIdentity(token, this.getNodeWebhookUrl('default'));
      return { workflowData: [[{ json: { email: user.email, headers: this.getHeaderData() } }]] };
    } catch (error) {
      response.status(error.statusCode ?? 500).json({ message: error.message });
      return { noWebhookResponse: true };
    }
  }
};`;

const stopAfterAll = stopIn(afterAll);
let service: RunningService;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'own-nodes-'));
  stopAfterAll({ stop: () => rm(folder, { recursive: true, force: true }) });
  const place = join(folder, 'node_modules', 'n8n-nodes-own');
  await mkdir(place, { recursive: true });
  const nodes = { 'Notes.node.js': notes, 'Gate.node.js': gate };
  const manifest = { name: 'n8n-nodes-own', version: '1.0.0', n8n: { n8nNodesApiVersion: 1, nodes: Object.keys(nodes) } };
  for (const [file, text] of Object.entries({ ...nodes, 'package.json': JSON.stringify(manifest) }))
    await writeFile(join(place, file), text);
  const settings = { SLUICE_NODES_DIR: folder, WORKERS: '1', PUBLIC_URL: 'https://sluice.example', LOG_LEVEL: 'debug' };
  service = stopAfterAll(await startService({ settings }));
});

const logOf = (name: string) => readFileSync(join(service.home, 'logs', `${name}.log`), 'utf8');
const linesOf = (name: string, message: string) =>
  logOf(name)
    .split('\n')
    .filter((line) => line.includes(message));

describe('a community package', () => {
  const runNotes = async (address: string) => {
    const node = aNode({ name: 'Notes', type: 'n8n-nodes-own.notes', parameters: { address } });
    const { executionId, data } = await run(service, await createWorkflow(service, aChain([trigger, node])));
    return { executionId, run: data.resultData.runData.Notes[0] };
  };

  test('attaches hints and metadata to its node run, and the API returns them', async () => {
    const { executionId } = await runNotes('https://93.184.215.14/');
    const { data } = expectStatus(await service.call('GET', `/executions/${executionId}?includeData=true`), 200);
    expect(data.resultData.runData.Notes[0]).toMatchObject({
      executionStatus: 'success',
      hints: [{ message: 'Look here', location: 'outputPane', type: 'warning' }],
      metadata: { subExecution: { executionId: '7', workflowId: 'w' } },
    });
  });

  test('logs with the execution ID during a run and once while it is loaded, without secrets', async () => {
    const { executionId } = await runNotes('https://93.184.215.14/');
    await eventually(() => linesOf('worker-1', 'a module says so').some((line) => line.includes(`"${executionId}"`)));
    expect(linesOf('worker-1', 'a module is loaded')).toHaveLength(1);
    expect(logOf('worker-1')).not.toContain('do not disclose');
  });

  test('can check the addresses of its own connections with the SSRF guard', async () => {
    const ok = await runNotes('https://93.184.215.14/');
    expect(ok.run.data.main[0][0].json).toEqual({ ok: true, message: null });
    const refused = await runNotes('http://169.254.169.254/latest/meta-data');
    expect(refused.run.data.main[0][0].json).toMatchObject({ ok: false, message: expect.stringContaining('not allowed') });
  });
});

describe('a package webhook that only users of the service may call', () => {
  let id: string;
  const call = (authorization?: string) =>
    fetch(`${service.url}/webhook/${id}/g/calls`, { method: 'POST', headers: { ...(authorization && { authorization }) } });

  beforeAll(async () => {
    const graph = aChain([
      aNode({ id: 'g', name: 'Gate', type: 'n8n-nodes-own.gate' }),
      aNode({ name: 'End', type: 'base.no-op' }),
    ]);
    id = await createWorkflow(service, graph);
    expectStatus(await service.call('POST', `/workflows/${id}/activate`, {}), 200);
  });

  test('accepts an API key without storing it', async () => {
    const received = await call(`Bearer ${service.apiKey}`);
    const { executionId } = (await received.json()) as { executionId: string };
    expect(received.status).toBe(200);
    const { data } = await eventually(async () => {
      const { body } = await service.call('GET', `/executions/${executionId}?includeData=true`);
      if (body.status !== 'success') throw new Error(`it is ${body.status}`);
      return body;
    });
    const [{ json }] = data.resultData.runData.Gate[0].data.main[0];
    expect(json.email).toContain('@');
    expect(json.headers.authorization).toBe('Bearer ***REDACTED***');
    expect(logOf('api')).not.toContain(service.apiKey);
  });

  test('rejects other requests without starting an execution', async () => {
    const before = (await service.call('GET', '/executions')).body.data.length;
    for (const authorization of [undefined, 'Bearer', 'Bearer not-a-key-of-this-service-at-all']) {
      const received = await call(authorization);
      expect([authorization, received.status]).toEqual([authorization, 401]);
    }
    expect((await service.call('GET', '/executions')).body.data.length).toBe(before);
  });

  test('rejects a key that may not run workflows', async () => {
    const body = { label: 'reader', scopes: ['workflow:read'], expiresAt: null };
    const { rawApiKey } = expectStatus(await service.call('POST', '/api-keys', body), 201);
    expect((await call(`Bearer ${rawApiKey}`)).status).toBe(403);
  });
});
