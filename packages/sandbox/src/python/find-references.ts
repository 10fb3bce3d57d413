import { type CodeReferences, NeedSet } from '../scope/find-references.ts';

const quoted = String.raw`\s*(?:"([^"\\]*)"|'([^'\\]*)')\s*`;
const nodeCall = new RegExp(String.raw`(?<!\w)_\(${quoted}\)\s*(?:\.\s*(\w+))?`, 'g');
const nodeTable = new RegExp(String.raw`(?<!\w)_node\s*\[${quoted}\]`, 'g');

/** References in the text of Python code. A node with a computed name is only known at run time. */
export function findPythonReferences(source: string): CodeReferences {
  const needs = new NeedSet();
  for (const [, a, b, member] of source.matchAll(nodeCall)) needs.add(a ?? b, member);
  for (const [, a, b] of source.matchAll(nodeTable)) needs.add(a ?? b);
  return {
    items: true,
    jsonFields: undefined,
    vars: source.includes('_vars'),
    env: source.includes('_env'),
    parameters: false,
    nodeParameters: [],
    staticData: source.includes('StaticData'),
    names: new Set(),
    image: source.includes('_jmespath') ? 'full' : 'plain',
    needs: needs.list(),
  };
}
