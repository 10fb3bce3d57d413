import type { CallableWorkflow } from '@sluice/domain';
import { type Parameter, rows } from '../statement.ts';

/** A sub-execution to start. */
export interface NewChild {
  workflow: Pick<CallableWorkflow, 'id' | 'graphHash' | 'returnsAllRuns'>;
  /** Serialized `ExecutionInput`. */
  inputJson: string;
}

interface EncodedChild extends Pick<NewChild, 'workflow'> {
  data: Buffer;
}

/** Sub-executions as rows `c` of a statement, numbered by `ord`. */
export const childRows: Parameter<readonly EncodedChild[]> = rows<EncodedChild>(
  'c',
  {
    workflow_id: ['text', ({ workflow }) => workflow.id],
    hash: ['text', ({ workflow }) => workflow.graphHash],
    data: ['bytea', ({ data }) => data],
  },
  'ord',
);
