import type { NodeType } from '@sluice/node-sdk';

/** The package of a type, from its identifier or one of the names in `foreignTypeNames`. */
export function packageOfType(name: string): string {
  const identifier = name.replace(/(?<=.)@[\d.]+$/, '');
  return identifier.slice(0, identifier.lastIndexOf('.'));
}

/**
 * Sorted names of what a worker with these types can run: each identifier, alone and with
 * `@<version>` for each version.
 */
export function foreignTypeNames(nodeTypes: ReadonlyMap<string, NodeType>): string[] {
  return [...nodeTypes]
    .flatMap(([identifier, { description }]) => [
      identifier,
      ...[description.version].flat().map((version) => `${identifier}@${version}`),
    ])
    .sort();
}
