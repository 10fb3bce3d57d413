import type { Draft, GraphNode } from './graph.ts';

/** Renames a node in its connections, pinned data, and references in expressions and code. */
export function renameNode(draft: Draft, from: string, to: string): Draft {
  const renamed = (name: string) => (name === from ? to : name);
  const nodes = draft.nodes.map((node) => ({
    ...node,
    name: renamed(node.name),
    parameters: renameIn(node.parameters, from, to) as GraphNode['parameters'],
  }));
  const connections = Object.fromEntries(
    Object.entries(draft.connections).map(([source, types]) => [
      renamed(source),
      Object.fromEntries(
        Object.entries(types).map(([type, outputs]) => [
          type,
          outputs.map((targets) => targets?.map((target) => ({ ...target, node: renamed(target.node) })) ?? null),
        ]),
      ),
    ]),
  );
  const pinData = Object.fromEntries(Object.entries(draft.pinData).map(([name, items]) => [renamed(name), items]));
  return { ...draft, nodes, connections, pinData };
}

/** Why a node cannot have a name. */
export function nameProblem(draft: Draft, from: string, to: string): string | undefined {
  if (to.trim() === '') return 'A node needs a name.';
  if (to !== from && draft.nodes.some(({ name }) => name === to)) return `Another node is called “${to}”.`;
  return undefined;
}

const quotes = [`'`, '"', '`'];

function renameIn(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') return renameInText(value, from, to);
  if (Array.isArray(value)) return value.map((one) => renameIn(one, from, to));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, renameIn(one, from, to)]));
}

/** `$('Name')`, `$node["Name"]`, and `$items("Name")`, with any quotes. */
function renameInText(text: string, from: string, to: string): string {
  if (!text.includes('$')) return text;
  return quotes.reduce((before, quote) => {
    const [old, next] = [quoted(from, quote), quoted(to, quote)];
    return ['$(', '$node[', '$items('].reduce((current, start) => current.replaceAll(start + old, () => start + next), before);
  }, text);
}

function quoted(name: string, quote: string): string {
  return quote + name.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote;
}
