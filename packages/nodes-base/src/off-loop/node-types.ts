import type { NodeType } from '@sluice/node-sdk';

/**
 * Modules of the types whose runs may move to a thread. A thread only loads the modules that it
 * needs.
 */
export const loaders: Readonly<Record<string, () => Promise<NodeType>>> = {
  aggregate: async () => (await import('../nodes/aggregate/aggregate.ts')).aggregate,
  'compare-datasets': async () => (await import('../nodes/compare-datasets/compare-datasets.ts')).compareDatasets,
  crypto: async () => (await import('../nodes/crypto/crypto.ts')).crypto,
  'date-time': async () => (await import('../nodes/date-time/date-time.ts')).dateTime,
  filter: async () => (await import('../nodes/filter/filter.ts')).filter,
  html: async () => (await import('../nodes/html/html.ts')).html,
  'html-extract': async () => (await import('../nodes/html-extract/html-extract.ts')).htmlExtract,
  if: async () => (await import('../nodes/if/if.ts')).ifNode,
  'item-lists': async () => (await import('../nodes/item-lists/item-lists.ts')).itemLists,
  limit: async () => (await import('../nodes/limit/limit.ts')).limit,
  markdown: async () => (await import('../nodes/markdown/markdown.ts')).markdown,
  merge: async () => (await import('../nodes/merge/merge.ts')).merge,
  'remove-duplicates': async () => (await import('../nodes/remove-duplicates/remove-duplicates.ts')).removeDuplicates,
  'rename-keys': async () => (await import('../nodes/rename-keys/rename-keys.ts')).renameKeys,
  set: async () => (await import('../nodes/set/set.ts')).set,
  sort: async () => (await import('../nodes/sort/sort.ts')).sort,
  'split-out': async () => (await import('../nodes/split-out/split-out.ts')).splitOut,
  summarize: async () => (await import('../nodes/summarize/summarize.ts')).summarize,
  switch: async () => (await import('../nodes/switch/switch.ts')).switchNode,
  xml: async () => (await import('../nodes/xml/xml.ts')).xml,
};
