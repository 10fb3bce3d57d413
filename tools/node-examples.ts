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

/** Loads the example of a node type. Throws if it does not exist. */
export async function exampleOf({ description: { name } }: NodeType): Promise<NodeExample> {
  const service = serviceFolders.get(name);
  const path =
    service === undefined
      ? `nodes-base/src/nodes/${name}/example.ts`
      : `nodes-services/src/services/${service}/${name}.example.ts`;
  const file = new URL(`../packages/${path}`, import.meta.url);
  if (!existsSync(file)) throw new Error(`node type ${name} has no example: create packages/${path}`);
  const module = (await import(file.href)) as { example: NodeExample };
  return module.example;
}

/** An example of a node type in the format of the dashboard. */
interface ShownExample {
  shows: string;
  typeVersion?: number;
  parameters: object;
}

/**
 * Examples for the dashboard by type, such as `base.set`. Does not include AI node types, because
 * their examples are workflows with several nodes.
 */
export async function shownExamples(): Promise<Record<string, ShownExample>> {
  const entries = builtInNodeTypes.map(async (type): Promise<[string, ShownExample]> => {
    const { shows, typeVersion, parameters } = await exampleOf(type);
    return [`base.${type.description.name}`, { shows, ...(typeVersion !== undefined && { typeVersion }), parameters }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** API version and reference page of a service node; `undefined` for other nodes. */
export function apiPageOf({ description: { name } }: NodeType): ApiPage | undefined {
  return apiPages[serviceFolders.get(name) ?? ''];
}

export const aiNodeTypes: readonly NodeType[] = await loadAiNodeTypes();

/**
 * Loads the example of an AI node type, which a test in its package runs. `undefined` if it does
 * not exist.
 */
export async function aiExampleOf({ description: { name } }: NodeType): Promise<AiExample | undefined> {
  const file = new URL(`../packages/nodes-ai/src/nodes/${name}/example.ts`, import.meta.url);
  return existsSync(file) ? ((await import(file.href)) as { example: AiExample }).example : undefined;
}
