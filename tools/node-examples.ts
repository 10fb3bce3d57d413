import { existsSync } from 'node:fs';
import type { NodeType } from '@sluice/node-sdk';
import type { NodeExample } from '../packages/nodes-base/src/testing/node-example.ts';

/** The example of a node type. Throws if there is none. */
export async function exampleOf({ description: { name } }: NodeType): Promise<NodeExample> {
  const file = new URL(`../packages/nodes-base/src/nodes/${name}/example.ts`, import.meta.url);
  if (!existsSync(file))
    throw new Error(`node type ${name} has no example: write packages/nodes-base/src/nodes/${name}/example.ts`);
  const module = (await import(file.href)) as { example: NodeExample };
  return module.example;
}
