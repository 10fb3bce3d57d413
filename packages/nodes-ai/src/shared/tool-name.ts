import type { Tool } from '@sluice/node-sdk';

/** Longest name that providers accept. */
const maxLength = 64;

/** A name that all providers accept for a tool, from the name of a node. */
export function toolName(name: string): string {
  const plain = name
    .trim()
    .replace(/[^\w-]/g, '_')
    .slice(0, maxLength);
  return plain === '' ? 'tool' : plain;
}

/** The tools, with a number appended to names that an earlier tool has. */
export function uniquelyNamed(tools: readonly Tool[]): Tool[] {
  const usedNames = new Set<string>();
  const counts = new Map<string, number>();
  return tools.map((tool) => {
    let name = toolName(tool.name);
    const start = name.slice(0, maxLength - 5);
    let count = counts.get(start) ?? 2;
    for (; usedNames.has(name); count += 1) name = `${start}_${count}`;
    counts.set(start, count);
    usedNames.add(name);
    if (name === tool.name) return tool;
    return { ...specOf(tool), name, run: (input, signal) => tool.run(input, signal) };
  });
}

function specOf({ description, inputSchema, returnsDirectly }: Tool): Omit<Tool, 'name' | 'run'> {
  return { description, inputSchema, ...(returnsDirectly && { returnsDirectly }) };
}
