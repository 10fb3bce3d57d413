import { isOwnType, type WorkflowNode } from '@sluice/domain';

/**
 * The node types of installed packages that a graph uses, sorted: the identifier, followed by
 * `@<version>` if the node names one. Disabled nodes do not count. Null if it uses none.
 */
export function foreignTypesOf(nodes: readonly WorkflowNode[]): string[] | null {
  const names = nodes
    .filter(({ type, disabled }) => !disabled && !isOwnType(type))
    .map(({ type, typeVersion }) => (typeVersion === undefined ? type : `${type}@${typeVersion}`))
    .map((name) => name.replaceAll('\u0000', ''));
  return names.length > 0 ? [...new Set(names)].sort() : null;
}
