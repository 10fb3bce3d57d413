import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { NodeExample } from '@sluice/nodes-base/testing';
import { serviceFolders } from '../service-node-types.ts';
import type { ApiServer } from './api-server.ts';

export { apiPages } from './api-pages.ts';
export type { ApiServer } from './api-server.ts';

/** Service folders. */
export const services: readonly string[] = [...new Set(serviceFolders.values())];

const folderOf = (service: string) => new URL(`../services/${service}/`, import.meta.url);

/**
 * Starts a service's test servers: each function in its `testing/*-server.ts` whose name ends with
 * `Server`.
 */
export async function startServers(service: string): Promise<ApiServer[]> {
  const servers: Promise<ApiServer>[] = [];
  for (const file of globSync('testing/*-server.ts', { cwd: fileURLToPath(folderOf(service)) }).toSorted()) {
    const module: Record<string, unknown> = await import(new URL(file, folderOf(service)).href);
    for (const [name, start] of Object.entries(module))
      if (name.endsWith('Server')) servers.push((start as () => Promise<ApiServer>)());
  }
  return Promise.all(servers);
}

/** A node type's example in its docs. */
export async function exampleOf(type: string): Promise<NodeExample> {
  const file = new URL(`${type}.example.ts`, folderOf(serviceFolders.get(type) ?? ''));
  return (await import(file.href)).example;
}
