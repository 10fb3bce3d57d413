/** Key of the part of a workflow's static data that all its nodes share. */
export const globalStaticDataKey = 'global';

/** Key of the part that belongs to one node. */
export function nodeStaticDataKey(nodeName: string): string {
  return `node:${nodeName}`;
}
