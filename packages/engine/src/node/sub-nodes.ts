import { TimeSlice, type WorkflowNode } from '@sluice/domain';
import type { ExecuteContext, SubNode } from '@sluice/node-sdk';
import { InvalidParameterError, SubNodeError } from '../errors.ts';
import { implementationOf } from '../graph/prepared-graph.ts';
import type { ContextParts } from './execution-context.ts';
import { NodeScope } from './node-scope.ts';

export type ContextMaker = (parts: ContextParts) => ExecuteContext;

/** A sub-node whose parameters are resolved over the items of the requesting node. */
export interface OpenSubNode extends SubNode {
  /** Whether its calls may have external effects. */
  readonly mayAct: boolean;
  readonly definition: Readonly<WorkflowNode>;
  /** Whether it has its own sub-nodes. */
  readonly hasSubNodes: boolean;
}

/**
 * Lists the sub-nodes attached to the node of a context by a connection type. Opens them in time
 * slices, because a node may have thousands, which are compiled then.
 */
export async function openSubNodes(asker: ContextParts, type: string, contextOf: ContextMaker): Promise<OpenSubNode[]> {
  const { graph } = asker.execution;
  const names = graph.index.attached(asker.task.node.name, type).filter((name) => !graph.nodes.get(name)?.node.disabled);
  const slice = new TimeSlice();
  const opening: Promise<OpenSubNode>[] = [];
  for (const name of names) {
    if (slice.isOver) await slice.next();
    opening.push(openOnce(asker, name, contextOf));
  }
  return Promise.all(opening);
}

/** Scope (of one try of a node, or of one call) → sub-nodes by name. */
const opened = new WeakMap<NodeScope, Map<string, Promise<OpenSubNode>>>();

/** Called for each item of a node; the sub-node has the parameters for all items from the start. */
function openOnce(asker: ContextParts, name: string, contextOf: ContextMaker): Promise<OpenSubNode> {
  const ofScope = opened.get(asker.scope) ?? new Map<string, Promise<OpenSubNode>>();
  opened.set(asker.scope, ofScope);
  const current = ofScope.get(name);
  if (current) return current;
  const opening = openSubNode(asker, name, contextOf);
  ofScope.set(name, opening);
  opening.catch(() => ofScope.delete(name));
  return opening;
}

async function openSubNode(asker: ContextParts, name: string, contextOf: ContextMaker): Promise<OpenSubNode> {
  const { execution, task, inputs, scope: askers, askedBy = [] } = asker;
  const node = execution.graph.nodes.get(name);
  if (!node || [...askedBy, task.node.name].includes(name)) throw new SubNodeError(name, 'is attached to itself');
  const { type, typeVersion } = implementationOf(node);
  const { errors } = node.parameterCheck;
  if (errors.length > 0) throw new InvalidParameterError(errors);
  const ownTask = { node, root: task.root ?? task.node, inputs: task.inputs, sources: task.sources };
  const scope = new NodeScope(execution, ownTask, inputs, askers.run);
  const parameters = await execution.ports.sandbox.resolve(node.compiled, scope, execution.request.signal);
  askers.addCustomData(parameters.customData);
  const path = [...askedBy, task.node.name];
  const context = contextOf({ ...asker, task: ownTask, scope, parameters, typeVersion, askedBy: path });
  return {
    name,
    type: node.node.type,
    typeVersion,
    mayAct: type.description.computesOnly !== true,
    definition: node.node,
    hasSubNodes: execution.graph.index.attachedTypes(name).length > 0,
    parameter: (...place) => context.parameter(...place),
    async supply(itemIndex = 0) {
      if (!type.supply) throw new SubNodeError(name, `is of type "${node.node.type}", which cannot be used as a sub-node`);
      return type.supply(context, itemIndex);
    },
  };
}
