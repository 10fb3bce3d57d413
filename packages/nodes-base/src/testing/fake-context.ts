import { randomBytes } from 'node:crypto';
import {
  type BinaryAccess,
  type CodeRequest,
  type CommandAccess,
  credentialAuthentication,
  type DataTableAccess,
  type ExecuteContext,
  type FileAccess,
  type HttpClient,
  type Item,
  type JsonObject,
  type JsonValue,
  type NodeLogger,
  type NodeOutput,
  type NodeType,
  ownProperty,
  type ResumeEvent,
  type SeenHistory,
  type Suspension,
  valueAt,
  type WorkflowAccess,
} from '@sluice/node-sdk';
import { noNetwork } from '@sluice/node-sdk/testing';
import { createCredentialTypeRegistry } from '../credentials/credential-type-registry.ts';
import { memoryBinary } from './memory-binary.ts';
import { streaming } from './streaming-client.ts';

/** Settings of a node run; by default, a plain run without parameters on one empty item. */
export interface FakeRun {
  /** Resolved values; a function if items differ. It may throw, like a failed expression. */
  parameters?: JsonObject | ((itemIndex: number) => JsonObject);
  /** JSON of input 0; `inputs` is the long form. */
  json?: JsonObject[];
  inputs?: (Item[] | undefined)[];
  typeVersion?: number;
  continueOnFail?: boolean;
  /** The node's `onError`; it determines `continueOnFail`. */
  onError?: ExecuteContext['node']['onError'];
  signal?: AbortSignal;
  http?: Pick<HttpClient, 'request'> & Partial<HttpClient>;
  connect?: ExecuteContext['connect'];
  /** Default: a new store, see `memoryBinary`. */
  binary?: BinaryAccess;
  files?: FileAccess;
  commands?: CommandAccess;
  runCode?: (request: CodeRequest) => Promise<Item[]>;
  runIndex?: number;
  isLegacyOrder?: boolean;
  workflowName?: string;
  /** The workflow's time zone; default UTC. */
  timezone?: string;
  /** Resolves a parameter during the run. */
  evaluate?: (path: string, itemIndex: number, names: Record<string, JsonValue>) => JsonValue | undefined;
  nodeContext?: JsonObject;
  /** Receives the data that the node keeps for its next run. */
  keep?: (nodeContext: JsonObject) => void;
  /** Items of input 0 in earlier runs. */
  earlierRuns?: Item[][];
  history?: SeenHistory;
  dataTables?: DataTableAccess;
  workflows?: WorkflowAccess;
  /** Receives the run's suspension. */
  suspended?: (suspension: Suspension) => void;
  /** Parameters as written, with their expressions. Default: `parameters` if it is an object. */
  written?: JsonObject;
  /** Event that resumes a suspended run: calls `resume` instead of `execute`. */
  event?: ResumeEvent;
  /** Receives the response to the request that started the execution. */
  respond?: ExecuteContext['respond'];
  /** Receives the chunks of a streamed response; absent: streaming is not available. */
  sendChunk?: ExecuteContext['sendChunk'];
  /** Receives the run's hints. */
  addHints?: ExecuteContext['addHints'];
  /** Receives strings by which the execution can be searched. */
  addCustomData?: ExecuteContext['addCustomData'];
  /** Credential type → the node's credential data. */
  credentials?: Record<string, JsonObject>;
}

const credentialTypes = createCredentialTypeRegistry();
const silent: NodeLogger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Replaces the engine. Input items are deep-frozen, so a node that changes them fails its test. */
export function fakeContext(run: FakeRun = {}): ExecuteContext {
  const inputs = (run.inputs ?? [(run.json ?? [{}]).map((json) => ({ json }))]).map((items) => deepFreeze(items));
  const { parameters = {}, timezone = 'UTC', workflowName: name = 'Workflow' } = run;
  const treeFor = typeof parameters === 'function' ? parameters : () => parameters;
  const unexpected = async () => {
    throw new Error('the test expected no such call');
  };
  return {
    node: fakeNode(run),
    typeVersion: run.typeVersion ?? 1,
    workflow: { id: 'w', projectId: 'p', name, active: true, timezone },
    execution: { id: '1', mode: 'manual', resumeFormUrl: 'https://me.example/form-waiting/1/token' },
    runIndex: run.runIndex ?? 0,
    signal: run.signal ?? new AbortController().signal,
    logger: silent,
    http: run.http ? streaming(run.http) : noNetwork,
    connect: run.connect ?? unexpected,
    binary: run.binary ?? memoryBinary(),
    files: run.files,
    commands: run.commands,
    continueOnFail: mayContinue(run),
    inputCount: inputs.length,
    connectedInputs: inputs.map((_, input) => input),
    isLegacyOrder: run.isLegacyOrder ?? false,
    items: (input = 0) => inputs[input] ?? [],
    hasInput: (input) => inputs[input] !== undefined,
    parameter: <T extends JsonValue>(path: string, itemIndex: number, fallback?: T) =>
      presentOr(valueAt(treeFor(itemIndex), path), fallback) as T,
    evaluate: async (path, itemIndex, names) => run.evaluate?.(path, itemIndex, names) as never,
    evaluateText: unexpected,
    credentials: async (type) => {
      const data = ownProperty(run.credentials ?? {}, type);
      if (!data) throw new Error(`the test gives no credential of type ${type}`);
      return data;
    },
    authentication: async (type) => {
      const ports = { http: run.http ?? { request: unexpected }, now: Date.now, randomBytes };
      return credentialAuthentication(type, credentialTypes.find(type), ownProperty(run.credentials ?? {}, type) ?? {}, ports);
    },
    hideSecret: () => {},
    itemsOfRun: (runIndex, input = 0) => (input === 0 ? deepFreeze(run.earlierRuns?.[runIndex] ?? []) : []),
    nodeContext: run.nodeContext,
    setNodeContext: (next) => run.keep?.(next),
    ...(run.history && { history: run.history }),
    ...(run.dataTables && { dataTables: run.dataTables }),
    workflows: run.workflows,
    ...(run.addCustomData && { addCustomData: run.addCustomData }),
    ...(run.addHints && { addHints: run.addHints }),
    suspend: (suspension) => run.suspended?.(suspension),
    respond: run.respond,
    sendChunk: run.sendChunk,
    subNodes: async () => [],
    connected: async () => [],
    runCode: run.runCode ?? unexpected,
  };
}

function fakeNode(run: FakeRun): ExecuteContext['node'] {
  const { parameters = {}, onError } = run;
  const written = run.written ?? (typeof parameters === 'function' ? {} : parameters);
  return { name: 'Node', type: 'base.test', position: [0, 0], parameters: written, ...(onError && { onError }) };
}

/** Null is a value, as in the engine. */
function presentOr(value: JsonValue | undefined, fallback: JsonValue | undefined): JsonValue | undefined {
  return value === undefined ? fallback : value;
}

function mayContinue({ continueOnFail, onError = 'stopWorkflow' }: FakeRun): boolean {
  return continueOnFail ?? onError !== 'stopWorkflow';
}

/** Runs a node; by default in its newest type version. */
export async function runNode(type: NodeType, run: FakeRun = {}): Promise<NodeOutput> {
  const newest = Math.max(...[type.description.version].flat());
  const context = fakeContext({ typeVersion: newest, ...run });
  return (await (run.event ? type.resume?.(context, run.event) : type.execute?.(context))) ?? [];
}

/** JSON of one output's items. */
export async function runForJson(type: NodeType, run: FakeRun = {}, output = 0): Promise<JsonObject[]> {
  const outputs = await runNode(type, run);
  return (outputs[output] ?? []).map(({ json }) => json);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}
