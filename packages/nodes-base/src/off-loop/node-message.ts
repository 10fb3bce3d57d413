import type { ExecuteContext } from '@sluice/node-sdk';
import type { ErrorFields } from '../threads/error-fields.ts';

/** A node run as a thread receives it. Data is JSON text. */
export interface NodeRunMessage {
  typeName: string;
  head: Pick<
    ExecuteContext,
    | 'node'
    | 'typeVersion'
    | 'workflow'
    | 'execution'
    | 'runIndex'
    | 'continueOnFail'
    | 'inputCount'
    | 'connectedInputs'
    | 'isLegacyOrder'
  >;
  hasHistory: boolean;
  /** `(Item[] | null)[]`. */
  inputsJson: string;
  /** `ParameterSnapshots`. */
  parametersJson: string;
  /** Failures that snapshots refer to. */
  failures: ErrorFields[];
}

/**
 * How the run ended; its items come first, one part for each output. `failed`: items that represent
 * failures, as `[output, index]`. `failure`: an index into the failures of the message.
 */
export type NodeRunEnd = { failed: [number, number][] } | { failure: number } | { error: ErrorFields };
