import { type Item, type JsonObject, type JsonValue, ownProperty } from '@sluice/domain';
import type { CodeRequest, ExecuteContext, HttpClient, NodeLogger } from '@sluice/node-sdk';
import type { ResolvedParameters } from '@sluice/sandbox';
import { CredentialNotSetError } from './errors.ts';
import type { NodeInputs } from './node-inputs.ts';
import type { NodeScope, RunFrame } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';

/** The parts of one try to run a node. */
export interface NodeAttempt {
  readonly frame: RunFrame;
  readonly task: NodeTask;
  readonly inputs: NodeInputs;
  readonly scope: NodeScope;
  readonly parameters: ResolvedParameters;
  readonly typeVersion: number;
  readonly continueOnFail: boolean;
  /** Where user code's console output is gathered. */
  readonly logs: string[];
}

/** What a node's `execute` is given. */
export class NodeContext implements ExecuteContext {
  readonly #attempt: NodeAttempt;
  #contextAfter: JsonObject | undefined;

  constructor(attempt: NodeAttempt) {
    this.#attempt = attempt;
  }

  get node(): ExecuteContext['node'] {
    return this.#attempt.task.node.node;
  }

  get typeVersion(): number {
    return this.#attempt.typeVersion;
  }

  get workflow(): ExecuteContext['workflow'] {
    return this.#attempt.frame.workflow;
  }

  get execution(): ExecuteContext['execution'] {
    return this.#attempt.frame.execution;
  }

  get runIndex(): number {
    return this.#attempt.scope.runIndex;
  }

  get signal(): AbortSignal {
    return this.#attempt.frame.request.signal;
  }

  get logger(): NodeLogger {
    return loggerOf(this.#attempt.frame.request.logger, this.node.name);
  }

  get http(): HttpClient {
    return this.#attempt.frame.ports.http;
  }

  get continueOnFail(): boolean {
    return this.#attempt.continueOnFail;
  }

  get inputCount(): number {
    return this.#attempt.task.node.inputCount;
  }

  itemsOfRun(runIndex: number, input = 0): readonly Item[] {
    const run = this.#attempt.frame.state.find(this.node.name, runIndex);
    return run?.inputs(this.node.executeOnce === true).items(input) ?? [];
  }

  get nodeContext(): JsonObject | undefined {
    return this.#attempt.frame.state.contextOf(this.node.name);
  }

  keepNodeContext(next: JsonObject): void {
    this.#contextAfter = next;
  }

  /** What the node asked to keep, in the end. */
  get contextAfter(): JsonObject | undefined {
    return this.#contextAfter;
  }

  items(input = 0): readonly Item[] {
    return this.#attempt.inputs.items(input);
  }

  hasInput(input: number): boolean {
    return this.#attempt.inputs.has(input);
  }

  parameter<T extends JsonValue = JsonValue>(path: string, itemIndex: number, fallback?: T): T {
    const value = this.#attempt.parameters.get(path, itemIndex);
    return (value === undefined ? fallback : value) as T;
  }

  async credentials(type: string): Promise<JsonObject> {
    const id = ownProperty(this.node.credentials ?? {}, type)?.id;
    if (typeof id !== 'string' || id === '') throw new CredentialNotSetError(this.node.name, type);
    return this.#attempt.frame.request.credentials.open({ id, type }, this.signal);
  }

  hideSecret(secret: string): void {
    this.#attempt.frame.request.credentials.hide(secret);
  }

  async runCode({ source, mode }: CodeRequest): Promise<Item[]> {
    const { frame, scope, logs } = this.#attempt;
    try {
      const result = await frame.ports.sandbox.runCode({ source, mode, scope }, this.signal);
      logs.push(...result.logs);
      return result.items;
    } catch (error) {
      logs.push(...logsOf(error));
      throw error;
    }
  }
}

/** What user code wrote before it failed. */
function logsOf(error: unknown): string[] {
  const logs = error instanceof Error && 'logs' in error ? error.logs : undefined;
  return Array.isArray(logs) ? logs : [];
}

/** Every line names the node. */
function loggerOf(logger: NodeLogger, nodeName: string): NodeLogger {
  return {
    debug: (fields, message) => logger.debug({ nodeName, ...fields }, message),
    info: (fields, message) => logger.info({ nodeName, ...fields }, message),
    warn: (fields, message) => logger.warn({ nodeName, ...fields }, message),
    error: (fields, message) => logger.error({ nodeName, ...fields }, message),
  };
}
