import type { NodeTypeDescription } from '../description.ts';
import type { NodeType } from '../node-type.ts';
import { plainNodeType } from './plain-node-type.ts';

/** A type whose versions differ too much for one implementation, as its author writes it. */
export interface VersionedNodeTypeDefinition {
  /** Description shared by all versions; it overrides theirs. */
  base?: Partial<Omit<NodeTypeDescription, 'version' | 'defaultVersion'>>;
  /** The version of a node without `typeVersion`. Default: the highest. */
  defaultVersion?: number;
  /**
   * Version → its implementation, whose own description lists that version. One implementation may
   * serve several versions.
   */
  versions: Readonly<Record<number, NodeType>>;
}

/**
 * Combines several implementations into one type, with the description of its default version and
 * all version numbers. Throws `TypeError` if the default version has no implementation.
 */
export function defineVersionedNodeType({ base, defaultVersion, versions }: VersionedNodeTypeDefinition): NodeType {
  const numbers = Object.keys(versions).map(Number);
  const chosen = defaultVersion ?? Math.max(...numbers);
  const main = versions[chosen];
  if (!main) throw new TypeError(`there is no implementation for the default version ${chosen}`);
  const implementations = Object.entries(versions).map(([version, type]): [string, NodeType] => [
    version,
    { ...plainNodeType(type), description: { ...type.description, ...base } },
  ]);
  return {
    description: { ...main.description, ...base, version: numbers, defaultVersion: chosen },
    versions: Object.fromEntries(implementations),
  };
}

/**
 * The implementation of a version, or the type itself if it has only one implementation or none for
 * that version.
 */
export function nodeTypeOfVersion(type: NodeType, typeVersion: number): NodeType {
  return type.versions?.[typeVersion] ?? type;
}

/** The version of a node without `typeVersion`. */
export function defaultVersionOf({ version, defaultVersion }: Pick<NodeTypeDescription, 'version' | 'defaultVersion'>): number {
  return defaultVersion ?? Math.max(...[version].flat());
}
