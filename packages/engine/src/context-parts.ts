import type { ResolvedParameters } from '@sluice/sandbox';
import type { NodeInputs } from './node-inputs.ts';
import type { NodeScope, RunFrame } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { RunNotes } from './run-notes.ts';

/** What the context of one try of a node, or of a sub-node, is made of. */
export interface ContextParts {
  readonly frame: RunFrame;
  readonly task: NodeTask;
  readonly inputs: NodeInputs;
  readonly scope: NodeScope;
  readonly parameters: ResolvedParameters;
  readonly typeVersion: number;
  readonly continueOnFail: boolean;
  /** Where user code's console output is gathered. */
  readonly logs: string[];
  /** Of a sub-node: the node that runs, and the sub-nodes from there to this one. */
  readonly askedBy?: readonly string[];
  /** Of the node that runs; a sub-node's are its. */
  readonly notes?: RunNotes;
}
