import type { Config } from '@sluice/config';
import { nodeTypeOfVersion, unsupportedUsesOf } from '@sluice/node-sdk';
import { baseCredentialTypes, baseNodeTypes, createCredentialTypeRegistry, createNodeTypeRegistry } from '@sluice/nodes-base';
import { loadPackages } from '../node-packages/load-packages.ts';
import type { Terminal } from '../terminal.ts';
import type { KnownTypes } from '../workflow-files/support-report.ts';

/** The node and credential types that this build ships, and those of installed packages. */
export async function knownTypes(config: Pick<Config, 'nodePackages'>, terminal: Terminal): Promise<KnownTypes> {
  const others = await loadPackages(config, terminal);
  const nodeTypes = createNodeTypeRegistry(baseNodeTypes, others.nodeTypes);
  const credentialTypes = createCredentialTypeRegistry([...baseCredentialTypes, ...others.credentialTypes]);
  return {
    nodeVersions: (type) => {
      const found = nodeTypes.find(type);
      return found && [found.description.version].flat();
    },
    unsupportedUses: ({ type, typeVersion, parameters }) => {
      const found = nodeTypes.find(type);
      if (!found) return [];
      const { version, defaultVersion = Math.max(...[version].flat()) } = found.description;
      return unsupportedUsesOf(nodeTypeOfVersion(found, typeVersion ?? defaultVersion).unsupported ?? [], parameters);
    },
    hasCredentialType: (name) => credentialTypes.find(name) !== undefined,
  };
}
