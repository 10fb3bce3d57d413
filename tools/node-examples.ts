import { existsSync } from 'node:fs';
import type { NodeType } from '@sluice/node-sdk';
import { baseNodeTypes } from '@sluice/nodes-base';
import { loadServiceNodeTypes } from '@sluice/nodes-services';
import type { NodeExample } from '../packages/nodes-base/src/testing/node-example.ts';
import { serviceFolders } from '../packages/nodes-services/src/service-node-types.ts';

/** Every built-in node type. */
export const builtInNodeTypes: readonly NodeType[] = [...baseNodeTypes, ...(await loadServiceNodeTypes())];

/** The example of a node type. Throws if there is none. */
export async function exampleOf({ description: { name } }: NodeType): Promise<NodeExample> {
  const service = serviceFolders.get(name);
  const path =
    service === undefined
      ? `nodes-base/src/nodes/${name}/example.ts`
      : `nodes-services/src/services/${service}/${name}.example.ts`;
  const file = new URL(`../packages/${path}`, import.meta.url);
  if (!existsSync(file)) throw new Error(`node type ${name} has no example: write packages/${path}`);
  const module = (await import(file.href)) as { example: NodeExample };
  return module.example;
}
