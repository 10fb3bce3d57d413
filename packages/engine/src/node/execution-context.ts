import type { EvaluationScope, ResolvedParameters } from '@sluice/sandbox';
import type { PreparedGraph } from '../graph/prepared-graph.ts';
import type { EnginePorts, RunRequest } from '../ports.ts';
import type { AiUsage } from '../sub-node-calls/ai-usage.ts';
import type { SubRuns } from '../sub-node-calls/sub-runs.ts';
import type { NodeInputs } from './node-inputs.ts';
import type { NodeScope } from './node-scope.ts';
import type { NodeTask } from './node-task.ts';
import type { RunDetails } from './run-details.ts';
import type { RunState } from './run-state.ts';
import type { StaticDataView } from './static-data-view.ts';

/** Data shared by all node runs of one execution. */
export interface ExecutionContext {
  readonly ports: EnginePorts;
  readonly request: RunRequest;
  readonly graph: PreparedGraph;
  readonly state: RunState;
  readonly staticData: StaticDataView;
  readonly aiUsage: AiUsage;
  readonly subRuns: SubRuns;
  /** `$workflow` and `$execution` of expressions. */
  readonly workflow: EvaluationScope['workflow'];
  readonly info: EvaluationScope['execution'];
}

/** The parts of the context for one try of a node or sub-node. */
export interface ContextParts {
  readonly execution: ExecutionContext;
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
