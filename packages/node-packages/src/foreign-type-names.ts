import type { NodeType } from '@sluice/node-sdk';

/** What a worker that has these types can run, sorted: each identifier by itself, and with `@<version>` behind it for each version. */
export function foreignTypeNames(nodeTypes: ReadonlyMap<string, NodeType>): string[] {
  return [...nodeTypes]
    .flatMap(([identifier, { description }]) => [
      identifier,
      ...[description.version].flat().map((version) => `${identifier}@${version}`),
    ])
    .sort();
}
