import type { CommunityNodeType } from '../community-types.ts';

/**
 * Derives an instance with additional members that keeps its class; the package's object is
 * unchanged.
 */
export function withMembers(type: CommunityNodeType, members: Partial<CommunityNodeType>): CommunityNodeType {
  return Object.assign(Object.create(type) as CommunityNodeType, members);
}
