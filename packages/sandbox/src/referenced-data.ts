import type { GuestImage, NodeNeed } from './protocol.ts';

/** What of a scope the sources of one call refer to, as far as their text tells. */
export interface ReferencedData {
  items: boolean;
  vars: boolean;
  env: boolean;
  parameters: boolean;
  image: GuestImage;
  /** Nodes by literal names; those that are computed make themselves known while the guest runs. */
  needs: readonly NodeNeed[];
}

const quoted = String.raw`\s*(?:"([^"\\]*)"|'([^'\\]*)'|\`([^\`\\$]*)\`)\s*`;
const nodeCall = new RegExp(String.raw`\$\(${quoted}\)\s*(?:\?\.|\.)?\s*(\w*)`, 'g');
const nodeTable = new RegExp(String.raw`\$node\s*(?:\.\s*([\w$]+)|\[${quoted}\])\s*(?:\?\.|\.)?\s*(\w*)`, 'g');
const itemsCall = new RegExp(String.raw`\$items\s*\(${quoted}`, 'g');
const readsPaired = new Set(['item', 'pairedItem', 'itemMatching']);
const readsParameters = new Set(['params', 'parameter']);

export function referencedData(sources: readonly string[]): ReferencedData {
  const text = sources.join('\n');
  return {
    items: /\$(?:json|binary|input|items?)\b/.test(text),
    vars: text.includes('$vars'),
    env: text.includes('$env'),
    parameters: text.includes('$parameter'),
    image: /\$now|\$today|\bDateTime\b|\bDuration\b|\bInterval\b|\bluxon\b/.test(text) ? 'luxon' : 'plain',
    needs: literalNeeds(text),
  };
}

function literalNeeds(text: string): NodeNeed[] {
  const needs = new Map<string, NodeNeed>();
  const add = (node: string | undefined, aspect: NodeNeed['aspect']) => {
    if (node !== undefined) needs.set(`${aspect}:${node}`, { node, aspect });
  };
  for (const [, a, b, c, member = ''] of text.matchAll(nodeCall)) add(a ?? b ?? c, aspectOf(member));
  for (const [, a, b, c, d, member = ''] of text.matchAll(nodeTable)) add(a ?? b ?? c ?? d, aspectOf(member));
  for (const [, a, b, c] of text.matchAll(itemsCall)) add(a ?? b ?? c, 'runs');
  return [...needs.values()];
}

function aspectOf(member: string): NodeNeed['aspect'] {
  if (readsParameters.has(member)) return 'parameters';
  return readsPaired.has(member) ? 'paired' : 'runs';
}
