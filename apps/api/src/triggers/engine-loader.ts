import type * as engine from '@sluice/engine';
import type { EnginePorts, NodeTrigger, TriggerRequest } from '@sluice/engine';
import type { NodePackages } from '@sluice/node-packages';
import { withAiTypes } from '@sluice/nodes-ai';
import { loadInSlices } from '@sluice/nodes-base/loading';
import { serviceNodeTypes } from '@sluice/nodes-services';
import type { Sandbox, SandboxOptions } from '@sluice/sandbox';
import type { nextTick } from '@sluice/schedule';

/** Functions of the engine that the API calls, with their node types and sandbox. */
export interface LoadedEngine {
  /** Like `listTriggers` of the engine, for built-in and installed node types. */
  list(request: TriggerRequest, signal: AbortSignal): Promise<NodeTrigger[]>;
  nextTick: typeof nextTick;
  nodes: NodeFunctions;
}

/** The engine's functions for running node code outside of executions. */
export interface NodeFunctions
  extends Pick<
    typeof engine,
    | 'openNode'
    | 'previewParameters'
    | 'methodContext'
    | 'describedPaths'
    | 'webhookContext'
    | 'webhookRegistration'
    | 'registrationNames'
    | 'needsRemoval'
    | 'isRegistered'
    | 'register'
    | 'unregister'
  > {
  ports: Pick<EnginePorts, 'nodeTypes' | 'sandbox' | 'now'>;
}

/** Node types of installed packages. */
type PackageNodeTypes = Pick<NodePackages, 'nodeTypes' | 'replacements'>;

/**
 * Loads the engine on first use: an API process that activates nothing does not need the code of
 * the nodes. Expressions run in a sandbox of one thread, which starts and ends on demand.
 */
export class EngineLoader {
  readonly #options: Omit<SandboxOptions, 'threads'>;
  readonly #packages: PackageNodeTypes;
  #loading: Promise<LoadedEngine> | undefined;
  #sandbox: Sandbox | undefined;

  constructor(options: Omit<SandboxOptions, 'threads'>, packages: PackageNodeTypes) {
    this.#options = options;
    this.#packages = packages;
  }

  load(): Promise<LoadedEngine> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  async close(): Promise<void> {
    await this.#loading?.catch(() => undefined);
    await this.#sandbox?.close();
  }

  async #load(): Promise<LoadedEngine> {
    const [engine, { createSandbox }, { baseNodeTypes, createNodeTypeRegistry }, { nextTick }] = await Promise.all([
      import('@sluice/engine'),
      import('@sluice/sandbox'),
      loadInSlices(),
      import('@sluice/schedule'),
    ]);
    const { timeoutMs, memoryMb } = this.#options;
    const sandbox = createSandbox({ timeoutMs, memoryMb, threads: 1 });
    this.#sandbox = sandbox;
    const { nodeTypes: others, replacements } = this.#packages;
    const nodeTypes = withAiTypes(createNodeTypeRegistry(baseNodeTypes, others, serviceNodeTypes, replacements));
    const ports = { nodeTypes, sandbox, now: Date.now };
    return { list: (request, signal) => engine.listTriggers(ports, request, signal), nextTick, nodes: { ...engine, ports } };
  }
}
