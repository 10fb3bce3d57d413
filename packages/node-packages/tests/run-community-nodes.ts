/**
 * Loads a folder's packages and runs one of their nodes with the given items. A separate process,
 * because Jest does not allow module loader hooks.
 */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import type { JsonObject, NodeRunRecord, RunData, WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { type EnginePorts, runWorkflow } from '@sluice/engine';
import { createConnectGuard, createHttpClient, guardedConnect } from '@sluice/http-client';
import { type CredentialType, credentialAuthentication } from '@sluice/node-sdk';
import { baseCredentialTypes, baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { createSandbox } from '@sluice/sandbox';
import { loadNodePackages } from '../src/load-node-packages.ts';
import { UncaughtErrors } from '../src/uncaught-errors.ts';

/** Input of the process, as JSON on stdin. */
export interface CommunityJob {
  folder: string;
  allow?: string[];
  /** The node to run; absent: packages are loaded, but nothing runs. */
  node?: Pick<WorkflowNode, 'type' | 'parameters'> & Partial<WorkflowNode>;
  items?: JsonObject[];
  /** Credential type → data. */
  credentials?: Record<string, JsonObject>;
  /** The workflow's static data. */
  staticData?: JsonObject;
  /**
   * Responses of the test server in order; the last one repeats. `{{url}}` in parameters and
   * credentials is replaced by its URL.
   */
  responses?: { status?: number; headers?: Record<string, string>; body?: unknown }[];
}

/** Output of the process, as JSON on stdout. */
export interface CommunityResult {
  nodeTypes: string[];
  credentialTypes: string[];
  failures: { package: string; reason: string }[];
  outcome?: { status: string; error?: JsonObject; staticData?: JsonObject };
  runs: NodeRunRecord[];
  /** Requests that the server received. */
  requests: { method: string; url: string; headers: Record<string, unknown>; body: string }[];
  /** Text of the files that the node created, by id. */
  files: Record<string, string>;
}

const requests: CommunityResult['requests'] = [];
const job = JSON.parse(await text(process.stdin)) as CommunityJob;
const responses = job.responses ?? [{}];
const server = createServer(async (request, response) => {
  const { method = '', url = '', headers } = request;
  requests.push({ method, url, headers, body: await text(request) });
  const { status = 200, headers: sent = {}, body = {} } = responses[Math.min(requests.length, responses.length) - 1] ?? {};
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...sent });
  response.end(isText ? body : JSON.stringify(body));
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const filled = <T>(value: T): T => JSON.parse(JSON.stringify(value ?? null).replaceAll('{{url}}', url)) as T;

const http = createHttpClient({ ssrfProtection: 'off', ssrfAllow: [] });
const connectGuard = createConnectGuard({ ssrfProtection: 'off', ssrfAllow: [] });
const connect = guardedConnect(connectGuard);
const ports = { http, connect, connectGuard, now: Date.now, randomBytes };
const sandbox = createSandbox({ timeoutMs: 60_000, memoryMb: 64, threads: 1 });
const uncaughtErrors = new UncaughtErrors({ error: () => undefined });
// On a busy machine, a process that starts alongside others takes longer than the default.
const timeoutMs = 60_000;
const loaded = await loadNodePackages({ folder: job.folder, allow: job.allow ?? null, uncaughtErrors, timeoutMs });
const files: Record<string, string> = {};
const types = new Map<string, CredentialType>(
  [...baseCredentialTypes, ...loaded.credentialTypes].map((type) => [type.name, type]),
);

/** A credential's data, renewed if due and completed, as in the worker. */
async function open(type: string, signal: AbortSignal): Promise<JsonObject> {
  const data = filled(job.credentials ?? {})[type];
  if (!data) throw new Error(`the test has no credential of type ${type}`);
  const { renewal, complete } = types.get(type) ?? {};
  const isDue = renewal?.isDue(data, Date.now());
  const fresh = renewal && isDue ? await renewal.renew(data, ports, signal) : data;
  return complete?.(fresh) ?? fresh;
}

const credentials = {
  open: ({ type }: { type: string }, signal: AbortSignal) => open(type, signal),
  authentication: async ({ type }: { type: string }, signal: AbortSignal) =>
    credentialAuthentication(type, types.get(type), await open(type, signal), ports),
  hide: () => {},
};

const binary = {
  async store(content: Uint8Array | AsyncIterable<Uint8Array>, file: { fileName?: string; mimeType?: string }) {
    const bytes = content instanceof Uint8Array ? content : await buffer(content);
    const id = `file-${Object.keys(files).length}`;
    files[id] = Buffer.from(bytes).toString();
    return { id, mimeType: file.mimeType ?? 'text/plain', fileSize: bytes.length, ...file };
  },
  read: async ({ id }: { id: string }) => Buffer.from(files[id] ?? ''),
  open: async ({ id }: { id: string }) =>
    (async function* () {
      yield Buffer.from(files[id] ?? '');
    })(),
};

async function run(): Promise<Pick<CommunityResult, 'runs' | 'outcome'>> {
  const runs: NodeRunRecord[] = [];
  if (!job.node) return { runs };
  const named = Object.fromEntries(Object.keys(job.credentials ?? {}).map((type) => [type, { id: type, name: type }]));
  const start: WorkflowNode = { name: 'Start', type: 'base.manual-trigger', position: [0, 0], parameters: {} };
  const node: WorkflowNode = { name: 'Node', position: [0, 0], credentials: named, ...filled(job.node) };
  const connections = { Start: { main: [[{ node: node.name, type: 'main', index: 0 }]] } };
  const graph: WorkflowGraph = { name: 'test', nodes: [start, node], connections, settings: { executionOrder: 'v1' } };
  const items = (filled(job.items) ?? [{}]).map((json) => ({ json }));
  const ports: EnginePorts = {
    nodeTypes: createNodeTypeRegistry(baseNodeTypes, loaded.nodeTypes),
    sandbox,
    http,
    connect: () => Promise.reject(new Error('no connections in this test')),
    now: Date.now,
  };
  const outcome = await runWorkflow(ports, {
    executionId: '7',
    workflow: { id: 'w1', projectId: 'p1', name: 'test', active: false },
    graph,
    mode: 'manual',
    start: { startNodes: [node.name], runData: { Start: [startRun(items)] } as RunData },
    done: [],
    timezone: 'Europe/Berlin',
    vars: {},
    env: {},
    ...(job.staticData && { staticData: async () => job.staticData ?? null }),
    recorder: { nodeFinished: (record) => void runs.push(record) },
    credentials,
    binary,
    signal: new AbortController().signal,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  });
  return { runs, outcome: outcome as NonNullable<CommunityResult['outcome']> };
}

function startRun(items: { json: JsonObject }[]) {
  return { startTime: 0, executionTime: 0, executionStatus: 'success', source: [], data: { main: [items] } };
}

const { runs, outcome } = await run();
const result: CommunityResult = {
  nodeTypes: [...loaded.nodeTypes.keys()],
  credentialTypes: loaded.credentialTypes.map(({ name }) => name),
  failures: [...loaded.failures],
  ...(outcome && { outcome }),
  runs,
  requests,
  files,
};
process.stdout.write(JSON.stringify(result));
await Promise.all([sandbox.close(), http.close()]);
server.close();
