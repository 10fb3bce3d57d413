import type { ErrorCode, ExecuteContext, JsonValue } from '@sluice/node-sdk';

/** A node run as a thread receives it. Data are JSON text. */
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
  /** `ErrorFields[]`: failures that snapshots refer to. */
  failures: ErrorFields[];
}

/** An error as data. */
export interface ErrorFields {
  name: string;
  message: string;
  /** Absent: a defect. */
  code?: ErrorCode;
  details?: JsonValue;
  description?: string;
  itemIndex?: number;
  /** Index into the failures of the message. */
  failure?: number;
}

/** How the run ended: its items come before, one part for each output. `failed`: items that stand for failures, as `[output, index]`. */
export type NodeRunEnd = { failed: [number, number][] } | { error: ErrorFields };
