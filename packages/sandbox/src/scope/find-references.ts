import type { GuestImage, NodeNeed } from '../protocol.ts';
import { jsonFieldsOf } from './json-fields.ts';

/** Parts of a scope that the sources of one call refer to, to the extent that their text shows. */
export interface CodeReferences {
  items: boolean;
  /** The fields of `$json` that are read, if nothing else of the input items is read. */
  jsonFields: readonly string[] | undefined;
  vars: boolean;
  env: boolean;
  parameters: boolean;
  /** Nodes whose `$node["x"].parameter` is read. */
  nodeParameters: readonly string[];
  staticData: boolean;
  /** Every token that looks like a name of the language. */
  names: ReadonlySet<string>;
  image: GuestImage;
  /** Nodes with literal names; computed names are found while the guest runs. */
  needs: readonly NodeNeed[];
}

const quoted = String.raw`\s*(?:"([^"\\]*)"|'([^'\\]*)'|\`([^\`\\$]*)\`)\s*`;
const nodeCall = new RegExp(String.raw`\$\(${quoted}\)\s*(?:\?\.|\.)?\s*(\w*)`, 'g');
const nodeTable = new RegExp(String.raw`\$node\s*(?:\.\s*([\w$]+)|\[${quoted}\])\s*(?:\?\.|\.)?\s*(\w*)`, 'g');
const itemsCall = new RegExp(String.raw`\$items\s*\(${quoted}`, 'g');
/** Member of a node → the data that it needs; any other member needs the runs. */
const aspects: ReadonlyMap<string, NodeNeed['aspect']> = new Map([
  ['item', 'paired'],
  ['pairedItem', 'paired'],
  ['itemMatching', 'paired'],
  ['params', 'parameters'],
  ['parameter', 'parameters'],
  ['context', 'context'],
]);
const wantsBuffer = /\bBuffer\b|BinaryData|\bcrypto\b|\bText(?:En|De)coder\b|\$jmes[pP]ath\b/;
const wantsLuxon = /\$now\b|\$today\b|\bDateTime\b|\bDuration\b|\bInterval\b|\bluxon\b|\btoDate(?:Time)?\b/;

/** A guess. If it is too small, the guest requests a larger image, which costs a round. */
function imageFor(text: string): GuestImage {
  if (wantsBuffer.test(text)) return 'full';
  return wantsLuxon.test(text) ? 'luxon' : 'plain';
}

export function findReferences(sources: readonly string[]): CodeReferences {
  const text = sources.join('\n');
  return {
    items: /\$(?:json|data|binary|input|items?|thisItem)\b/.test(text),
    jsonFields: jsonFieldsOf(text),
    vars: text.includes('$vars'),
    env: text.includes('$env'),
    parameters: /\$(?:parameter|rawParameter)\b|\bgetNodeParameter\b/.test(text),
    staticData: text.includes('StaticData'),
    names: new Set(text.match(/\$\w+/g)),
    image: imageFor(text),
    nodeParameters: [...nodesInTable(text)].flatMap(({ node, member }) => (member === 'parameter' ? [node] : [])),
    needs: literalNeeds(text),
  };
}

/** Each `$node["x"].member` with a literal name. */
function* nodesInTable(text: string): Generator<{ node: string; member: string }> {
  for (const [, a, b, c, d, member = ''] of text.matchAll(nodeTable)) {
    const node = a ?? b ?? c ?? d;
    if (node !== undefined) yield { node, member };
  }
}

function literalNeeds(text: string): NodeNeed[] {
  const needs = new NeedSet();
  for (const [, a, b, c, member] of text.matchAll(nodeCall)) needs.add(a ?? b ?? c, member);
  for (const { node, member } of nodesInTable(text)) needs.add(node, member);
  for (const [, a, b, c] of text.matchAll(itemsCall)) needs.add(a ?? b ?? c);
  return needs.list();
}

/** The needs of members of nodes, each once. */
export class NeedSet {
  readonly #needs = new Map<string, NodeNeed>();

  /** `node`: absent if the name is not literal. */
  add(node: string | undefined, member = ''): void {
    const aspect = aspects.get(member) ?? 'runs';
    if (node !== undefined) this.#needs.set(`${aspect}:${node}`, { node, aspect });
  }

  list(): NodeNeed[] {
    return [...this.#needs.values()];
  }
}
