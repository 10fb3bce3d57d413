import type { ResolvedParameters } from '@sluice/sandbox';
import type { NodeInputs } from './node-inputs.ts';
import type { NodeScope, RunFrame } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { RunDetails } from './run-details.ts';

/** The parts of the context for one try of a node or sub-node. */
export interface ContextParts {
  readonly frame: RunFrame;
  readonly task: NodeTask;
  readonly inputs: NodeInputs;
  readonly scope: NodeScope;
  readonly parameters: ResolvedParameters;
  readonly typeVersion: number;
  readonly continueOnFail: boolean;
  /** Collects the console output of user code. */
  readonly logs: string[];
  /**
   * For a sub-node: the names of the running node and of all sub-nodes on the path to this
   * sub-node.
   */
  readonly askedBy?: readonly string[];
  /** Details of the running node run. Its sub-nodes write to the same details. */
  readonly details?: RunDetails;
}
