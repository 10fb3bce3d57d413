/** Types whose outputs have names. */
const labels: Readonly<Record<string, readonly string[]>> = {
  'base.if': ['true', 'false'],
  'base.filter': ['kept'],
  'base.split-in-batches': ['done', 'loop'],
  'base.compare-datasets': ['only A', 'same', 'different', 'only B'],
};

/** Names of the outputs of a node type, also under the name that imported workflows use. */
export function outputLabels(type: string): readonly string[] {
  const hyphenated = type.replace('n8n-nodes-base.', 'base.').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return labels[hyphenated] ?? [];
}
