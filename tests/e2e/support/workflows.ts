import type { WorkflowGraph, WorkflowNode } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';

export const trigger = aNode({ name: 'Start', type: 'base.manual-trigger' });

export function aCall(name: string, url: string, changes: Partial<WorkflowNode> = {}): WorkflowNode {
  return aNode({ name, type: 'base.http-request', typeVersion: 4.2, parameters: { url }, ...changes });
}

export function aSet(name: string, jsonOutput: string): WorkflowNode {
  return aNode({ name, type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } });
}

export function aCode(name: string, jsCode: string): WorkflowNode {
  return aNode({ name, type: 'base.code', typeVersion: 2, parameters: { jsCode } });
}

/** A trigger, then one request per path: the node `first` sends a request to `/first`. */
export function callsInARow(serverUrl: string, paths: readonly string[], changes: Partial<WorkflowGraph> = {}): WorkflowGraph {
  return aChain([trigger, ...paths.map((path) => aCall(path.slice(1), `${serverUrl}${path}`))], changes);
}
