import type { WorkflowWarning } from '@sluice/contract';
import { settingProblems, TimeSlice, type WorkflowGraph, type WorkflowNode } from '@sluice/domain';
import {
  checkParameters,
  defaultVersionOf,
  type NodeType,
  nodeTypeOfVersion,
  type ParameterProblem,
  subNodeProblemsByNode,
  unsupportedUsesOf,
} from '@sluice/node-sdk';

interface NodeTypes {
  find(type: string): NodeType | undefined;
}

const maxWarnings = 100;
const codes: Readonly<Record<ParameterProblem['kind'], string>> = {
  unknown: 'UNKNOWN_PARAMETER',
  unused: 'UNUSED_PARAMETER',
  invalid: 'INVALID_PARAMETER',
  doubtful: 'INVALID_PARAMETER',
};
/** Sticky notes never run. */
const note = /\.sticky-?note$/i;

/** Finds values that a run would reject or ignore, to warn the author on save. */
export class WorkflowAdvisor {
  readonly #loadTypes: () => Promise<NodeTypes>;

  constructor(loadTypes: () => Promise<NodeTypes>) {
    this.#loadTypes = loadTypes;
  }

  /** At most 100 warnings: for settings, nodes in their order, and sub-node connections. */
  async warningsOf({
    nodes,
    settings,
    connections,
  }: Pick<WorkflowGraph, 'nodes' | 'settings' | 'connections'>): Promise<WorkflowWarning[]> {
    const warnings: WorkflowWarning[] = settingProblems(settings).map(({ setting, message }) => ({
      code: 'INVALID_WORKFLOW_SETTING',
      message,
      path: `settings.${setting}`,
    }));
    if (nodes.length === 0) return warnings;
    const types = await this.#loadTypes();
    const slice = new TimeSlice();
    for (const node of nodes) {
      warnings.push(...warningsOfNode(node, types));
      if (warnings.length >= maxWarnings) break;
      if (slice.isOver) await slice.next();
    }
    for (const problems of subNodeProblemsByNode({ nodes, connections }, types)) {
      warnings.push(...problems.slice(0, maxWarnings));
      if (warnings.length >= maxWarnings) break;
      if (slice.isOver) await slice.next();
    }
    return warnings.slice(0, maxWarnings);
  }
}

function warningsOfNode(node: WorkflowNode, types: NodeTypes): WorkflowWarning[] {
  const type = types.find(node.type);
  if (!type) {
    if (note.test(node.type)) return [];
    return [{ code: 'UNKNOWN_NODE_TYPE', message: `there is no node type "${node.type}"`, node: node.name }];
  }
  const versions = [type.description.version].flat();
  const version = node.typeVersion ?? defaultVersionOf(type.description);
  if (!versions.includes(version)) {
    const message = `node type "${node.type}" has no version ${version}; known: ${versions.join(', ')}`;
    return [{ code: 'UNKNOWN_NODE_TYPE_VERSION', message, node: node.name }];
  }
  const implementation = nodeTypeOfVersion(type, version);
  return [
    ...unsupportedUsesOf(implementation.unsupported ?? [], node.parameters).map(({ parameter, what, hint }) => ({
      code: 'NOT_SUPPORTED',
      message: `${what} is not supported yet. ${hint}`,
      node: node.name,
      path: parameter,
    })),
    ...checkParameters(implementation, node.parameters, version, { onSave: true }).map(({ kind, path, message }) => ({
      code: codes[kind],
      message,
      node: node.name,
      path,
    })),
  ];
}
