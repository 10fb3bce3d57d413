import {
  checkedSuspension,
  customDataProblem,
  type Item,
  type JsonObject,
  type JsonValue,
  type NodeHint,
  type NodeOutput,
  type WorkflowNode,
} from '@sluice/domain';
import {
  type BinaryAccess,
  type CapabilityType,
  type ChatHistory,
  type CodeRequest,
  type CommandAccess,
  type Connected,
  type DataTableAccess,
  type ExecuteContext,
  type FileAccess,
  type HttpAuthentication,
  type HttpClient,
  type ModelCall,
  type NodeLogger,
  NodeOperationError,
  type SeenHistory,
  type StaticDataAccess,
  type SubNode,
  type Suspension,
  type TextScope,
  type WorkflowAccess,
} from '@sluice/node-sdk';
import { NotResumableError } from '../errors.ts';
import type { StoredState } from './conclude-run.ts';
import { connectedOf } from './connected.ts';
import { type ContainerChecks, containerChecksOf } from './container-checks.ts';
import type { ContextParts } from './execution-context.ts';
import { makeModelCall } from './model-run.ts';
import { openAuthentication, openCredential } from './node-credentials.ts';
import { evaluateParameter, evaluateText } from './node-evaluation.ts';
import { chunkSenderOf, responderOf } from './node-responses.ts';
import { runAsTool } from './run-as-tool.ts';
import { RunDetails } from './run-details.ts';
import { toStoredParts } from './static-data-view.ts';
import { openSubNodes } from './sub-nodes.ts';
import { runUserCode } from './user-code.ts';

/** The context that is passed to a node's `execute`. */
export class NodeContext implements ExecuteContext {
  readonly #parts: ContextParts;
  /** Notes of the node about its run. */
  readonly details: RunDetails;
  readonly #containers: ContainerChecks | undefined;
  #contextAfter: JsonObject | undefined;
  #suspension: Suspension | undefined;
  #tookAllItems = false;
  #staticData: JsonObject | undefined;

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.details = parts.details ?? new RunDetails();
    this.#containers = containerChecksOf(parts.task.node, parts.parameters);
  }

  get node(): ExecuteContext['node'] {
    return this.#parts.task.node.node;
  }

  get typeVersion(): number {
    return this.#parts.typeVersion;
  }

  get workflow(): ExecuteContext['workflow'] {
    return this.#parts.execution.workflow;
  }

  get execution(): ExecuteContext['execution'] {
    return this.#parts.execution.info;
  }

  get runIndex(): number {
    return this.#parts.scope.runIndex;
  }

  get signal(): AbortSignal {
    return this.#parts.execution.request.signal;
  }

  get logger(): NodeLogger {
    return nodeLogger(this.#parts.execution.request.logger, this.node.name);
  }

  get http(): HttpClient {
    const { ports, request } = this.#parts.execution;
    return request.credentials.guarded?.(ports.http) ?? ports.http;
  }

  get connect(): ExecuteContext['connect'] {
    return this.#parts.execution.ports.connect;
  }

  get binary(): BinaryAccess {
    return this.#parts.execution.request.binary;
  }

  get files(): FileAccess | undefined {
    return this.#parts.execution.ports.files;
  }

  get commands(): CommandAccess | undefined {
    return this.#parts.execution.ports.commands;
  }

  get continueOnFail(): boolean {
    return this.#parts.continueOnFail;
  }

  get inputCount(): number {
    return this.#parts.task.node.inputCount;
  }

  get connectedInputs(): readonly number[] {
    return this.#parts.task.node.connectedInputs;
  }

  get isLegacyOrder(): boolean {
    return !this.#parts.execution.graph.isDepthFirst;
  }

  itemsOfRun(runIndex: number, input = 0): readonly Item[] {
    const run = this.#parts.execution.state.find(this.node.name, runIndex);
    return run?.inputs(this.node.executeOnce === true).items(input) ?? [];
  }

  get nodeContext(): JsonObject | undefined {
    return this.#parts.execution.state.contextOf(this.node.name);
  }

  setNodeContext(next: JsonObject): void {
    this.#contextAfter = next;
  }

  /** Data to record with this run in addition to its outputs. */
  get storedState(): StoredState {
    return { contextAfter: this.#contextAfter, staticData: this.#staticData };
  }

  addCustomData(key: string, value: string): void {
    const { scope } = this.#parts;
    const problem = customDataProblem(scope.execution.customData ?? {}, key, value);
    if (problem !== undefined)
      throw new NodeOperationError(problem, { description: 'Save shorter strings, or fewer, under other names' });
    scope.addCustomData(Object.fromEntries([[key, value]]));
  }

  addHints(...hints: readonly NodeHint[]): void {
    this.details.addHints(hints);
  }

  addRunMetadata(metadata: JsonObject): void {
    this.details.addMetadata(metadata);
  }

  relatives(nodeName: string, side: 'before' | 'after'): WorkflowNode[] {
    return this.#parts.execution.graph.index.relativesOf(nodeName, side);
  }

  get staticData(): StaticDataAccess {
    return {
      read: () => this.#parts.execution.staticData.of(this.node.name),
      save: (parts) => {
        this.#staticData = { ...this.#staticData, ...toStoredParts(parts, this.node.name) };
      },
    };
  }

  get workflows(): WorkflowAccess | undefined {
    return this.#parts.execution.request.workflows;
  }

  get callWorkflow(): ExecuteContext['callWorkflow'] {
    const { askedBy, execution } = this.#parts;
    return askedBy && execution.request.workflows && ((run) => execution.subRuns.callWorkflow(run));
  }

  get respond(): ExecuteContext['respond'] {
    return responderOf(this.#parts.execution);
  }

  get sendChunk(): ExecuteContext['sendChunk'] {
    return chunkSenderOf(this.#parts.execution, this.node, this.runIndex);
  }

  suspend(suspension: Suspension): void {
    if (!this.#parts.task.node.type?.resume) throw new NotResumableError(this.node.name);
    this.#suspension = checkedSuspension(suspension);
  }

  /** The wait that the node requested, if any. */
  get suspension(): Suspension | undefined {
    return this.#suspension;
  }

  get chatHistory(): ((session: string) => ChatHistory) | undefined {
    return this.#parts.execution.request.chatHistory;
  }

  get dataTables(): DataTableAccess | undefined {
    return this.#parts.execution.request.dataTables;
  }

  get history(): SeenHistory | undefined {
    return this.#parts.execution.request.history?.(this.#parts.task.node.node);
  }

  items(input = 0): readonly Item[] {
    return this.#parts.inputs.items(input);
  }

  hasInput(input: number): boolean {
    return this.#parts.inputs.has(input);
  }

  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T {
    this.#containers?.check(path, itemIndex);
    const value = this.#parts.parameters.get(path, itemIndex);
    return (value === undefined ? fallback : value) as T;
  }

  evaluate<T extends JsonValue = JsonValue>(
    path: string,
    itemIndex: number,
    names: Record<string, JsonValue>,
  ): Promise<T | undefined> {
    return evaluateParameter(this.#parts, path, itemIndex, names);
  }

  evaluateText<T extends JsonValue = JsonValue>(text: string, itemIndex: number, textScope: TextScope): Promise<T | undefined> {
    return evaluateText(this.#parts, text, itemIndex, textScope);
  }

  credentials(type: string, itemIndex: number): Promise<JsonObject> {
    return openCredential(this.#credentialUser, type, itemIndex);
  }

  authentication(type: string, itemIndex: number): Promise<HttpAuthentication> {
    return openAuthentication(this.#credentialUser, type, itemIndex);
  }

  get #credentialUser(): Parameters<typeof openCredential>[0] {
    return { node: this.#parts.task.node.node, credentials: this.#parts.execution.request.credentials, signal: this.signal };
  }

  hideSecret(secret: string): void {
    this.#parts.execution.request.credentials.hide(secret);
  }

  subNodes(type: string): Promise<readonly SubNode[]> {
    return openSubNodes({ ...this.#parts, details: this.details }, type, (parts) => new NodeContext(parts));
  }

  connected<T extends CapabilityType>(type: T, itemIndex: number): Promise<readonly Connected<T>[]> {
    return connectedOf({ ...this.#parts, details: this.details }, type, itemIndex, (parts) => new NodeContext(parts));
  }

  async runAsTool(args: JsonObject, itemIndex: number): Promise<NodeOutput> {
    return runAsTool(this.#parts, args, itemIndex, (parts) => new NodeContext(parts));
  }

  async modelCall<T>(call: ModelCall<T>): Promise<T> {
    return makeModelCall({ ...this.#parts, details: this.details }, call);
  }

  /** User code received all items at once, so its failure does not belong to a single item. */
  get tookAllItems(): boolean {
    return this.#tookAllItems;
  }

  async runCode(request: CodeRequest): Promise<Item[]> {
    this.#tookAllItems ||= request.mode === 'allItems';
    const { items, staticData } = await runUserCode(this.#parts, request);
    if (staticData) this.#staticData = toStoredParts(staticData, this.node.name);
    return items;
  }
}

/** Adds the node's name to every line. */
function nodeLogger(logger: NodeLogger, nodeName: string): NodeLogger {
  return {
    debug: (fields, message) => logger.debug({ nodeName, ...fields }, message),
    info: (fields, message) => logger.info({ nodeName, ...fields }, message),
    warn: (fields, message) => logger.warn({ nodeName, ...fields }, message),
    error: (fields, message) => logger.error({ nodeName, ...fields }, message),
  };
}
