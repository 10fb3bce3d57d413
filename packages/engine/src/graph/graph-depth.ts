import type { GraphIndex } from '@sluice/domain';

/**
 * Computes the depth of each node: the longest path from a node without inputs, where a loop counts
 * as one node. A node is deeper than all of its predecessors outside its loop.
 */
export function graphDepths(index: GraphIndex): ReadonlyMap<string, number> {
  const loops = loopsInOrder(index);
  const loopOf = new Map(loops.flatMap((loop, i) => loop.map((name) => [name, i] as const)));
  const depths = new Map<string, number>();
  loops.forEach((loop, i) => {
    const before = loop.flatMap((name) => index.incoming(name).map((c) => c.node)).filter((name) => loopOf.get(name) !== i);
    const depth = before.reduce((deepest, name) => Math.max(deepest, (depths.get(name) ?? 0) + 1), 0);
    for (const name of loop) depths.set(name, depth);
  });
  return depths;
}

/**
 * The strongly connected components in topological order (Kosaraju). A node outside every loop is
 * its own component.
 */
function loopsInOrder(index: GraphIndex): string[][] {
  const seen = new Set<string>();
  const loops: string[][] = [];
  for (const name of nodesByFinish(index).reverse()) {
    if (seen.has(name)) continue;
    const loop: string[] = [];
    const open = [name];
    seen.add(name);
    for (let current = open.pop(); current !== undefined; current = open.pop()) {
      loop.push(current);
      for (const { node } of index.incoming(current)) {
        if (!seen.has(node)) open.push(node);
        seen.add(node);
      }
    }
    loops.push(loop);
  }
  return loops;
}

/**
 * Nodes in the finish order of a depth-first search. Iterative, because graphs may be thousands of
 * nodes deep.
 */
function nodesByFinish(index: GraphIndex): string[] {
  const finished: string[] = [];
  const seen = new Set<string>();
  for (const root of index.nodes.keys()) {
    const path = seen.has(root) ? [] : [{ name: root, next: targetsOf(index, root) }];
    seen.add(root);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const target = step.next.pop();
      if (target === undefined) {
        finished.push(step.name);
        path.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        path.push({ name: target, next: targetsOf(index, target) });
      }
    }
  }
  return finished;
}

function targetsOf(index: GraphIndex, name: string): string[] {
  return index.outgoing(name).flatMap((targets) => targets.map((c) => c.node));
}
