import { Readable } from 'node:stream';
import type { ExecuteContext, HttpRequest, HttpResponse, Item, JsonObject, JsonValue } from '@sluice/node-sdk';
import { noNetwork } from '@sluice/node-sdk/testing';

/** Test setup of a run. Default: a plain run with one empty item. */
export interface FakeRun {
  parameters?: JsonObject;
  items?: Item[];
  credentials?: Record<string, JsonObject>;
  respond?: (request: HttpRequest) => Partial<HttpResponse>;
  node?: Partial<ExecuteContext['node']>;
  over?: Partial<ExecuteContext>;
}

/** Replaces the engine. */
export function fakeContext({
  parameters = {},
  items = [{ json: {} }],
  credentials = {},
  respond,
  node,
  over,
}: FakeRun = {}): ExecuteContext {
  const unexpected = async () => {
    throw new Error('the test expected no such call');
  };
  const request = async (sent: HttpRequest): Promise<HttpResponse> => ({
    status: 200,
    statusText: 'OK',
    headers: {},
    body: new Uint8Array(),
    url: sent.url,
    ...respond?.(sent),
  });
  const stream: ExecuteContext['http']['stream'] = async (sent, _signal, read) => {
    const { body, ...head } = await request(sent);
    return read({ ...head, body: Readable.from([body]) });
  };
  return {
    node: { name: 'Node', type: 'pack.node', position: [0, 0], parameters, ...node },
    typeVersion: 1,
    workflow: { id: 'w', projectId: 'p', name: 'Workflow', active: true, timezone: 'UTC' },
    execution: { id: '1', mode: 'manual' },
    runIndex: 0,
    signal: new AbortController().signal,
    logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    http: respond ? { request, stream, guard: noNetwork.guard } : noNetwork,
    connect: unexpected,
    binary: { store: unexpected, read: unexpected, open: unexpected },
    files: undefined,
    continueOnFail: false,
    inputCount: 1,
    connectedInputs: [0],
    items: (input = 0) => (input === 0 ? items : []),
    itemsOfRun: () => [],
    hasInput: (input) => input === 0,
    parameter: <T extends JsonValue>(path: string, _: number, fallback?: T) => (parameters[path] ?? fallback) as T,
    evaluate: unexpected,
    evaluateText: unexpected,
    credentials: async (type) => credentials[type] ?? {},
    authentication: async () => ({}),
    hideSecret: () => {},
    nodeContext: undefined,
    setNodeContext: () => {},
    workflows: undefined,
    suspend: () => {},
    respond: undefined,
    subNodes: async () => [],
    connected: async () => [],
    runCode: unexpected,
    ...over,
  };
}
