import { type CallableWorkflow, TimeSlice } from '@sluice/domain';
import { packText } from '../../json/codec.ts';
import { type Parameter, rows } from '../../statements/statement.ts';

/** A sub-execution to start. */
export interface NewChild {
  workflow: Pick<CallableWorkflow, 'id' | 'graphHash' | 'returnsAllRuns'>;
  /** Serialized `ExecutionInput`. */
  inputJson: string;
  /** Ids of the files that its items refer to. */
  fileIds?: readonly string[];
}

export interface EncodedChild extends Pick<NewChild, 'workflow'> {
  data: Buffer;
}

/** Encodes the inputs, in time slices: there may be thousands. */
export async function encodeChildren(children: readonly NewChild[]): Promise<EncodedChild[]> {
  const encoded: EncodedChild[] = [];
  const slice = new TimeSlice();
  for (const { workflow, inputJson } of children) {
    encoded.push({ workflow, data: await packText(inputJson) });
    if (slice.isOver) await slice.next();
  }
  return encoded;
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
