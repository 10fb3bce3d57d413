import type { NodeTypeDescription } from './description.ts';
import type { NodeType } from './node-type.ts';
import { plainNodeType } from './plain-type.ts';

/** What the author of a type writes whose versions differ too much for one implementation. */
export interface VersionedNodeTypeSource {
  /** What all versions share, in place of what they say themselves. */
  base?: Partial<Omit<NodeTypeDescription, 'version' | 'defaultVersion'>>;
  /** The version a node without `typeVersion` has. Default: the highest. */
  defaultVersion?: number;
  /** Version → its implementation, whose own description names that version. One implementation may stand for several. */
  versions: Readonly<Record<number, NodeType>>;
}

/**
 * One type out of several implementations. What it says of itself is what its default version says, and all version numbers. Throws `TypeError` where
 * there is no implementation for the default version.
 */
export function defineVersionedNodeType({ base, defaultVersion, versions }: VersionedNodeTypeSource): NodeType {
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

/** The implementation of a version; the type itself where it has one implementation, or none for that version. */
export function nodeTypeOfVersion(type: NodeType, typeVersion: number): NodeType {
  return type.versions?.[typeVersion] ?? type;
}

/** The version of a node without `typeVersion`. */
export function defaultVersionOf({ version, defaultVersion }: Pick<NodeTypeDescription, 'version' | 'defaultVersion'>): number {
  return defaultVersion ?? Math.max(...[version].flat());
}
