import { existsSync } from 'node:fs';
import type { NodeType } from '@sluice/node-sdk';
import { loadAiNodeTypes } from '@sluice/nodes-ai';
import { baseNodeTypes } from '@sluice/nodes-base';
import { loadServiceNodeTypes } from '@sluice/nodes-services';
import type { AiExample } from '../packages/nodes-ai/src/testing/ai-example.ts';
import type { NodeExample } from '../packages/nodes-base/src/testing/node-example.ts';
import { serviceFolders } from '../packages/nodes-services/src/service-node-types.ts';
import { type ApiPage, apiPages } from '../packages/nodes-services/src/testing/api-pages.ts';

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

/** An example of a node type, as the dashboard shows it. */
interface ShownExample {
  shows: string;
  typeVersion?: number;
  parameters: object;
}

/**
 * Examples by type, such as `base.set`, for the dashboard. AI node types are left out: their examples
 * are workflows of several nodes.
 */
export async function shownExamples(): Promise<Record<string, ShownExample>> {
  const entries = builtInNodeTypes.map(async (type): Promise<[string, ShownExample]> => {
    const { shows, typeVersion, parameters } = await exampleOf(type);
    return [`base.${type.description.name}`, { shows, ...(typeVersion !== undefined && { typeVersion }), parameters }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Version and reference page of the API of a service node; `undefined` for others. */
export function apiPageOf({ description: { name } }: NodeType): ApiPage | undefined {
  return apiPages[serviceFolders.get(name) ?? ''];
}

export const aiNodeTypes: readonly NodeType[] = await loadAiNodeTypes();

/** The example of an AI node type, which its package runs; `undefined` if there is none. */
export async function aiExampleOf({ description: { name } }: NodeType): Promise<AiExample | undefined> {
  const file = new URL(`../packages/nodes-ai/src/nodes/${name}/example.ts`, import.meta.url);
  return existsSync(file) ? ((await import(file.href)) as { example: AiExample }).example : undefined;
}
