import { randomBytes } from 'node:crypto';
import type { EnginePorts, RunRequest, runWorkflow } from '@sluice/engine';
import { createHttpClient } from '@sluice/http-client';
import {
  AppError,
  credentialAuthentication,
  type HttpAuthentication,
  type HttpClient,
  type HttpRequest,
  type Item,
  type JsonObject,
  type NodeType,
  ownProperty,
} from '@sluice/node-sdk';
import { baseNodeTypes, createCredentialTypeRegistry, createNodeTypeRegistry } from '@sluice/nodes-base';
import { createSandbox } from '@sluice/sandbox';
import { withAiTypes } from '../ai-node-types.ts';
import { memoryChats } from './memory-chats.ts';
import { type CalledWorkflows, runAttempts } from './run-attempts.ts';

/** A node of a test workflow; `to` attaches it to others: `{ Agent: 'ai_tool' }`, or `main`. */
export interface AiNode {
  type: string | NodeType;
  parameters?: JsonObject;
  typeVersion?: number;
  to?: Readonly<Record<string, string>>;
  /** Input index at those nodes; default: the first. */
  input?: number;
  /** Credential type → ID in `credentials`. */
  credentials?: Readonly<Record<string, string>>;
  onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
}

type Records = Parameters<RunRequest['recorder']['nodeFinished']>[0];

export interface AiRun {
  outcome: Awaited<ReturnType<typeof runWorkflow>>;
  records: Records[];
  /** Item JSON of output 0 of a node's last run. */
  json(node: string): JsonObject[];
  /** Runs of a sub-node: method, input, and output or error message. */
  uses(node: string): { use: unknown; input: unknown; output: unknown }[];
}

/** `files`: files of the first item, by property. `called`: workflows that may be called. */
type Overrides = Partial<Omit<RunRequest, 'chatHistory'>> & {
  files?: Item['binary'];
  called?: CalledWorkflows;
  /** Default: conversations that all runs of the engine share; `null`: none. */
  chatHistory?: RunRequest['chatHistory'] | null;
};

export interface AiEngine {
  run(nodes: Readonly<Record<string, AiNode>>, items?: readonly JsonObject[], overrides?: Overrides): Promise<AiRun>;
  close(): Promise<void>;
}

const credentialTypes = createCredentialTypeRegistry();
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const unused = () => Promise.reject(new Error('not used by this test'));

/**
 * The real engine, sandbox, and HTTP client with all built-in types. A workflow starts at its node
 * `Start`, which emits the items. `credentials`: ID → data. `routes`: provider origin → origin of
 * the server that replaces it.
 */
export function aiEngine(
  credentials: Readonly<Record<string, JsonObject>> = {},
  routes: Readonly<Record<string, string>> = {},
  connect: EnginePorts['connect'] = unused,
): AiEngine {
  const sandbox = createSandbox({ timeoutMs: 20_000, memoryMb: 64, threads: 1 });
  const client = createHttpClient({ ssrfProtection: 'on', ssrfAllow: ['127.0.0.1'], ownEndpoints: [] });
  const http = routed(client, routes);
  const chats = memoryChats();
  const builtIn = withAiTypes(createNodeTypeRegistry(baseNodeTypes));
  const dataOf = (id: string) => {
    const data = ownProperty(credentials, id);
    if (!data) throw new AppError({ code: 'CREDENTIAL_NOT_FOUND', message: `no credential ${id}` });
    return data;
  };
  const source: RunRequest['credentials'] = {
    open: async ({ id }) => dataOf(id),
    authentication: async ({ id, type }) => ({
      ...(await credentialAuthentication(type, credentialTypes.find(type), dataOf(id), { http, now: Date.now, randomBytes })),
      assertAllowed: ({ url }) => assertHost(url, dataOf(id)),
    }),
    hide: () => {},
  };
  return {
    run: async (nodes, items = [{ chatInput: 'hi' }], { files, called, chatHistory = chats, ...overrides } = {}) => {
      const ownTypes = new Map(
        Object.entries(nodes).flatMap(([name, { type }]) => (typeof type === 'string' ? [] : [[`test.${name}`, type]])),
      );
      const ports: EnginePorts = {
        nodeTypes: { find: (type) => ownTypes.get(type) ?? builtIn.find(type) },
        sandbox,
        http,
        connect,
        now: Date.now,
      };
      const records: Records[] = [];
      const outcome = await runAttempts(ports, called, records, {
        executionId: '1',
        workflow: { id: 'w', projectId: 'p', name: 'test', active: false },
        graph: graphOf(nodes, items, files),
        mode: 'manual',
        start: {},
        done: [],
        timezone: 'UTC',
        vars: {},
        env: {},
        recorder: { nodeFinished: (record) => void records.push(record) },
        credentials: source,
        binary: { store: unused, read: unused, open: unused },
        signal: new AbortController().signal,
        logger: silent,
        ...(chatHistory && { chatHistory }),
        ...overrides,
      });
      return { outcome, records, ...readers(records) };
    },
    close: async () => {
      await Promise.allSettled([client.close(), sandbox.close()]);
    },
  };
}

/** The client, with requests to an origin sent to another one. */
export function routed(client: HttpClient, routes: Readonly<Record<string, string>>): HttpClient {
  const sent = (request: HttpRequest): HttpRequest => {
    const { origin } = new URL(request.url);
    const other = ownProperty(routes, origin);
    if (other === undefined) return request;
    const { authentication, url } = request;
    return {
      ...request,
      url: url.replace(origin, other),
      ...(authentication && { authentication: withOrigin(authentication, origin, other) }),
    };
  };
  return {
    guard: client.guard,
    request: (request, signal) => client.request(sent(request), signal),
    stream: (request, signal, read) => client.stream(sent(request), signal, read),
  };
}

/** A signature covers the provider's address. */
function withOrigin(authentication: HttpAuthentication, origin: string, other: string): HttpAuthentication {
  const { authenticate } = authentication;
  if (!authenticate) return authentication;
  return {
    ...authentication,
    authenticate: async (request, signal) => {
      const signed = await authenticate({ ...request, url: request.url.replace(other, origin) }, signal);
      return { ...signed, url: signed.url.replace(origin, other) };
    },
  };
}

/** A credential is limited to the host in its field `url`, if it has one. */
function assertHost(url: string, data: JsonObject): void {
  const own = ownProperty(data, 'url');
  if (typeof own !== 'string' || new URL(own).host === new URL(url).host) return;
  throw new AppError({ code: 'CREDENTIAL_HOST_NOT_ALLOWED', message: `the credential is not for ${new URL(url).host}` });
}

function graphOf(
  nodes: Readonly<Record<string, AiNode>>,
  items: readonly JsonObject[],
  files: Item['binary'],
): RunRequest['graph'] {
  const list = Object.entries(nodes).map(([name, { type, parameters = {}, typeVersion, credentials, onError }], index) => ({
    name,
    type: typeof type === 'string' ? type : `test.${name}`,
    position: [0, index * 100] as [number, number],
    parameters,
    ...(typeVersion !== undefined && { typeVersion }),
    ...(onError && { onError }),
    ...(credentials && {
      credentials: Object.fromEntries(Object.entries(credentials).map(([type, id]) => [type, { id, name: id }])),
    }),
  }));
  const start = { name: 'Start', type: 'base.manual-trigger', position: [0, -100] as [number, number], parameters: {} };
  const attached = Object.entries(nodes).map(([name, { to = {}, input: index = 0 }]) => {
    const outputs = Map.groupBy(Object.entries(to), ([, type]) => type);
    const targets = [...outputs].map(([type, list]) => [type, [list.map(([node]) => ({ node, type, index }))]]);
    return [name, Object.fromEntries(targets)] as const;
  });
  const [first = ''] = Object.keys(nodes);
  const connections = { ...Object.fromEntries(attached), Start: { main: [[{ node: first, type: 'main', index: 0 }]] } };
  return {
    name: 'test',
    nodes: [start, ...list],
    connections,
    settings: { executionOrder: 'v1' },
    pinData: { Start: items.map((json, index) => ({ json, ...(files && index === 0 && { binary: files }) })) },
  };
}

function readers(records: readonly Records[]): Pick<AiRun, 'json' | 'uses'> {
  const runsOf = (node: string) => records.filter(({ nodeName }) => nodeName === node).map(({ run }) => run);
  const firstJson = (data: (typeof records)[number]['run']['data']) => Object.values(data ?? {})[0]?.[0]?.[0]?.json;
  return {
    json: (node) => (runsOf(node).at(-1)?.data?.['main']?.[0] ?? []).map(({ json }) => json),
    uses: (node) =>
      runsOf(node).map(({ metadata, inputOverride, data, error }) => ({
        use: metadata?.['use'],
        input: firstJson(inputOverride),
        output: error ? error.message : firstJson(data),
      })),
  };
}
