import type { Schemas } from './api.ts';
import { ownValue } from './own-value.ts';

type NodeType = Schemas['NodeType'];

export function isTrigger({ group }: Pick<NodeType, 'group'>): boolean {
  return group.includes('trigger');
}

/** All versions of a node type, the newest first. */
export function versionsOf({ version }: { version: number | readonly unknown[] }): number[] {
  return [version]
    .flat()
    .map(Number)
    .sort((a, b) => b - a);
}

export function latestVersion(type: { version: number | readonly unknown[] }): number {
  return versionsOf(type)[0] ?? 1;
}

/** The identifier by the public name: `n8n-nodes-base.httpRequest` is `base.http-request`. */
export function identifierOf(name: string): string {
  const [prefix, rest = ''] = name.startsWith('@n8n/n8n-nodes-langchain.')
    ? ['ai.', name.slice('@n8n/n8n-nodes-langchain.'.length)]
    : ['base.', name.replace('n8n-nodes-base.', '')];
  const [, own = rest, tool = ''] = /^(.+)(Tool)$/.exec(rest) ?? [];
  return `${prefix}${own.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}${tool}`;
}

/** Types whose outputs have names. */
const labels: Readonly<Record<string, readonly string[]>> = {
  'base.if': ['true', 'false'],
  'base.filter': ['kept'],
  'base.split-in-batches': ['done', 'loop'],
  'base.compare-datasets': ['only A', 'same', 'different', 'only B'],
};

/** Names of a node type's outputs, by either of its names. */
export function outputLabels(type: string): readonly string[] {
  return ownValue(labels, type) ?? ownValue(labels, identifierOf(type)) ?? [];
}
