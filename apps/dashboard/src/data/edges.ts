import type { Schemas } from './api.ts';

/** A connection of a workflow. */
export interface Edge {
  source: string;
  /** Connection type: `main`, or a sub-node's type, such as `ai_tool`. */
  type: string;
  output: number;
  target: string;
  input: number;
}

/** The connections, also those whose nodes do not exist. */
export function edgesOf(connections: Schemas['Connections']): Edge[] {
  return Object.entries(connections).flatMap(([source, types]) =>
    Object.entries(types).flatMap(([type, outputs]) =>
      outputs.flatMap((targets, output) =>
        (targets ?? []).map(({ node: target, index: input }) => ({ source, type, output, target, input })),
      ),
    ),
  );
}

export function edgeId({ source, type, output, target, input }: Edge): string {
  return JSON.stringify([source, type, output, target, input]);
}
