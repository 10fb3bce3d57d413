import type { ComputingRef } from '@sluice/db';
import type { WorkflowGraph, WorkflowId } from '@sluice/domain';
import type { EnginePorts } from '@sluice/engine';
import type { ExecutionRef } from '@sluice/queue';
import QuickLRU from 'quick-lru';

/** At least this many workflows are remembered, and at most twice as many. */
const maxWorkflows = 1_000;

/**
 * Workflows whose graph, when it last ran here, had only nodes that compute: their next execution
 * may run before it is claimed (ADR 79).
 */
export class ComputingGraphs {
  readonly #nodeTypes: EnginePorts['nodeTypes'];
  readonly #hashes = new QuickLRU<WorkflowId, string>({ maxSize: maxWorkflows });

  constructor(nodeTypes: EnginePorts['nodeTypes']) {
    this.#nodeTypes = nodeTypes;
  }

  note(workflowId: WorkflowId, hash: string, { nodes }: WorkflowGraph): void {
    if (this.#hashes.get(workflowId) === hash) return;
    if (nodes.every(({ type }) => this.#nodeTypes.find(type)?.description.computesOnly)) this.#hashes.set(workflowId, hash);
    else this.#hashes.delete(workflowId);
  }

  /** `undefined`: the execution has to be claimed before it runs. */
  refOf({ workflowId, ...ref }: ExecutionRef): ComputingRef | undefined {
    const graphHash = workflowId === undefined || ref.attempt > 1 ? undefined : this.#hashes.get(workflowId);
    return graphHash === undefined ? undefined : { ...ref, graphHash };
  }
}
