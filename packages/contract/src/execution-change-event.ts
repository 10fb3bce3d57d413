import { executionStatuses } from '@sluice/domain';
import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf } from './schema-helpers.ts';

const executionChange = Type.Object({
  id: Type.String(),
  workflowId: Type.String(),
  projectId: Type.String(),
  status: nullable(oneOf(executionStatuses, { description: 'null: the execution was deleted' })),
});

/**
 * Executions that were created, changed their status, or were deleted. Frequent changes of one
 * execution are merged into the last.
 */
export const executionChangesEvent = Type.Object({
  executions: Type.Array(executionChange),
  more: Type.Boolean({ description: 'true: other executions changed, too; read the list again' }),
});
export type ExecutionChangesEvent = Static<typeof executionChangesEvent>;

/** The events of `GET /events`: `event:` → JSON of `data:`. */
export const changeEvents = { executions: executionChangesEvent };
