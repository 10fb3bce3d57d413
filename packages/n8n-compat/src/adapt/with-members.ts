import type { CommunityNodeType } from '../community-types.ts';

/** The same instance, its class and all, with further members; the package's own object stays as it is. */
export function withMembers(type: CommunityNodeType, members: Partial<CommunityNodeType>): CommunityNodeType {
  return Object.assign(Object.create(type) as CommunityNodeType, members);
}
