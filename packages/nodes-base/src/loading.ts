import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import type { NodeType } from '@sluice/node-sdk';
import { offLoop } from './off-loop/off-loop.ts';

export { createNodeTypeRegistry } from './node-type-registry.ts';

const folder = new URL('./nodes/', import.meta.url);
const load = createRequire(import.meta.url);
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const loaded = new Map<string, NodeType>();

/**
 * Name of a node type of this package → function that loads it. A module is loaded on first use:
 * loading all modules takes a third of a worker's startup time.
 */
export const lazyNodeTypes: ReadonlyMap<string, () => NodeType> = new Map(
  readdirSync(folder).map((name) => [name, () => loaded.get(name) ?? loadType(name)]),
);

function loadType(name: string): NodeType {
  const exported = Object.values<Partial<NodeType> | undefined>(load(`./nodes/${name}/${name}${extension}`));
  const type = exported.find((value): value is NodeType => value?.description?.name === name);
  if (!type) throw new TypeError(`nodes/${name}/${name}${extension} does not export the node type ${name}`);
  const moved = offLoop(type);
  loaded.set(name, moved);
  return moved;
}

/**
 * Imports the package while the process serves requests: first its node types one by one, with a
 * turn of the event loop after each. A single import would block the event loop for 100 to 300 ms.
 */
export async function loadInSlices(): Promise<typeof import('./index.ts')> {
  for (const loadOne of lazyNodeTypes.values()) {
    loadOne();
    await setImmediate();
  }
  return import('./index.ts');
}
