/** The key of the part of a workflow's static data that all its nodes share. */
export const globalStaticDataKey = 'global';

/** The key of the part that is one node's own. */
export function nodeStaticDataKey(nodeName: string): string {
  return `node:${nodeName}`;
}
