import type { CommunityDescription, CommunityNodeType } from '../community-types.ts';

/** A type with an implementation per version. */
export class VersionedNodeType {
  readonly nodeVersions: Readonly<Record<string, CommunityNodeType>>;
  readonly description: Partial<CommunityDescription>;
  currentVersion: number;

  constructor(nodeVersions: Readonly<Record<string, CommunityNodeType>>, description: Partial<CommunityDescription>) {
    this.nodeVersions = nodeVersions;
    this.description = description;
    this.currentVersion = description.defaultVersion ?? this.getLatestVersion();
  }

  getLatestVersion(): number {
    return Math.max(...Object.keys(this.nodeVersions).map(Number));
  }

  getNodeType(version = this.currentVersion): CommunityNodeType | undefined {
    return this.nodeVersions[String(version)];
  }
}

/**
 * Base class of newer types: their functions take the context as the first argument instead of
 * `this`.
 */
export abstract class Node {
  abstract description: CommunityDescription;
}
