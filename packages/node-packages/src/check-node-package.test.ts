import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writePackage } from './testing/write-package.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Result of the check in a separate process, because Jest does not allow module loader hooks. */
async function checked(path: string): Promise<{ suppliersOnly: string[] }> {
  const script = `
    import { checkNodePackage, UncaughtErrors } from '@sluice/node-packages';
    console.log(JSON.stringify(await checkNodePackage(${JSON.stringify(path)}, new UncaughtErrors({ error() {} }))));`;
  const cwd = new URL('.', import.meta.url);
  const args = ['--conditions=source', '--input-type=module', '--eval', script];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { cwd })).stdout);
}

const file = (name: string, outputs: string[], member: string) => `exports.${name} = class {
  description = { displayName: '${name}', name: '${name}', group: ['transform'], version: 1, description: '', defaults: {},
    inputs: [], outputs: ${JSON.stringify(outputs)}, properties: [] };
  async ${member}() { return [[]]; }
};`;

test('types of the community format that only supply data are reported', async () => {
  const files = {
    'Memory.node.js': file('Memory', ['ai_memory'], 'supplyData'),
    'Both.node.js': file('Both', ['main', 'ai_tool'], 'supplyData'),
    'Send.node.js': file('Send', ['main'], 'execute'),
  };
  const n8n = { n8nNodesApiVersion: 1, nodes: Object.keys(files) };
  const path = await writePackage(folder, 'n8n-nodes-acme', { manifest: { type: 'commonjs', n8n }, files });
  expect(await checked(path)).toMatchObject({
    nodeTypes: ['n8n-nodes-acme.Memory', 'n8n-nodes-acme.Both', 'n8n-nodes-acme.Send'],
    suppliersOnly: ['n8n-nodes-acme.Memory'],
  });
});
