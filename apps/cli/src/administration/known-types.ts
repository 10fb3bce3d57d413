import { baseCredentialTypes, baseNodeTypes, createCredentialTypeRegistry, createNodeTypeRegistry } from '@sluice/nodes-base';
import type { KnownTypes } from '../workflow-files/support-report.ts';

/** The node and credential types that this build ships. */
export function knownTypes(): KnownTypes {
  const nodeTypes = createNodeTypeRegistry(baseNodeTypes);
  const credentialTypes = createCredentialTypeRegistry(baseCredentialTypes);
  return {
    nodeVersions: (type) => {
      const found = nodeTypes.find(type);
      return found && [found.description.version].flat();
    },
    hasCredentialType: (name) => credentialTypes.find(name) !== undefined,
  };
}
