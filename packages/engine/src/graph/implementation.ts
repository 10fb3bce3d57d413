import type { NodeType } from '@sluice/node-sdk';
import { UnknownNodeTypeError, UnknownNodeTypeVersionError } from '../errors.ts';
import type { PreparedNode } from './prepared-graph.ts';

/**
 * Finds the type that implements a node in its version. Throws `UnknownNodeTypeError` or
 * `UnknownNodeTypeVersionError`.
 */
export function implementationOf({ node, type, typeVersion }: PreparedNode): { type: NodeType; typeVersion: number } {
  if (!type) throw new UnknownNodeTypeError(node.name, node.type);
  const { version } = type.description;
  if (![version].flat().includes(typeVersion)) {
    throw new UnknownNodeTypeVersionError(node.name, node.type, typeVersion, version);
  }
  return { type, typeVersion };
}
