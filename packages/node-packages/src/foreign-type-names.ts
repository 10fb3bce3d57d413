import type { NodeType } from '@sluice/node-sdk';

/** The package that a type is of, by its identifier or one of its names as `foreignTypeNames` gives them. */
export function packageOfType(name: string): string {
  const identifier = name.replace(/(?<=.)@[\d.]+$/, '');
  return identifier.slice(0, identifier.lastIndexOf('.'));
}

/** What a worker that has these types can run, sorted: each identifier by itself, and with `@<version>` behind it for each version. */
export function foreignTypeNames(nodeTypes: ReadonlyMap<string, NodeType>): string[] {
  return [...nodeTypes]
    .flatMap(([identifier, { description }]) => [
      identifier,
      ...[description.version].flat().map((version) => `${identifier}@${version}`),
    ])
    .sort();
}
