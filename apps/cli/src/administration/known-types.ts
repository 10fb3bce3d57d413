import type { Config } from '@sluice/config';
import type { WorkflowNode } from '@sluice/domain';
import { checkParameters, defaultVersionOf, nodeTypeOfVersion, subNodeProblems, unsupportedUsesOf } from '@sluice/node-sdk';
import { withAiTypes } from '@sluice/nodes-ai';
import { baseNodeTypes, createNodeTypeRegistry } from '@sluice/nodes-base';
import { baseCredentialTypes, createCredentialTypeRegistry, withPackageTypes } from '@sluice/nodes-base/credentials';
import { serviceNodeTypes } from '@sluice/nodes-services';
import { loadPackages } from '../node-packages/load-packages.ts';
import type { Terminal } from '../terminal.ts';
import type { KnownTypes } from '../workflow-files/support-report.ts';

/** The built-in node and credential types, and those of installed packages. */
export async function knownTypes(config: Pick<Config, 'nodePackages'>, terminal: Terminal): Promise<KnownTypes> {
  const others = await loadPackages(config, terminal);
  const nodeTypes = withAiTypes(createNodeTypeRegistry(baseNodeTypes, others.nodeTypes, serviceNodeTypes, others.replacements));
  const credentialTypes = createCredentialTypeRegistry(withPackageTypes(baseCredentialTypes, others.credentialTypes));
  const typeOf = ({ type, typeVersion }: WorkflowNode) => {
    const nodeType = nodeTypes.find(type);
    if (!nodeType) return undefined;
    const version = typeVersion ?? defaultVersionOf(nodeType.description);
    return { implementation: nodeTypeOfVersion(nodeType, version), version };
  };
  return {
    nodeVersions: (type) => {
      const nodeType = nodeTypes.find(type);
      return nodeType && [nodeType.description.version].flat();
    },
    unsupportedUses: (node) => {
      const type = typeOf(node);
      return type ? unsupportedUsesOf(type.implementation.unsupported ?? [], node.parameters) : [];
    },
    parameterProblems: (node) => {
      const type = typeOf(node);
      return type ? checkParameters(type.implementation, node.parameters, type.version, { onSave: true }) : [];
    },
    subNodeProblems: (graph) => subNodeProblems(graph, nodeTypes),
    hasCredentialType: (name) => credentialTypes.find(name) !== undefined,
  };
}
