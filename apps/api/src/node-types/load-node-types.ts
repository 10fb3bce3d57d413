import type { NodeTypeEntry } from './node-type-service.ts';

/** The code of the nodes comes with their descriptions, so this costs some memory. */
export async function loadNodeTypes(): Promise<NodeTypeEntry[]> {
  const { baseNodeTypes } = await import('@sluice/nodes-base');
  return baseNodeTypes.map(({ description }) => ({ type: `base.${description.name}`, ...description }));
}
