import { pageOf, pageQuery } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, timestamp } from './schema-helpers.ts';
import { connections, node, pinData, settings } from './workflow.ts';

const head = {
  id: Type.String({ description: 'the workflow’s `versionId`' }),
  workflowId: Type.String(),
  number: Type.Integer({ minimum: 1, description: 'sequence number of the version within its workflow, from 1' }),
  name: nullable(Type.String({ description: 'label set when the version was activated' })),
  description: nullable(Type.String()),
  authorId: nullable(Type.String({ description: 'ID of the user; null: deleted' })),
  active: Type.Boolean({ description: 'whether triggers run this version' }),
  createdAt: timestamp,
};

export const workflowVersionView = Type.Object(head, { title: 'WorkflowVersion' });
export type WorkflowVersionView = Static<typeof workflowVersionView>;

export const workflowVersionPage = pageOf(workflowVersionView);

/** A version with its saved graph. */
export const workflowVersionContent = Type.Object(
  {
    ...head,
    workflowName: Type.String({ description: 'name of the workflow in this version' }),
    nodes: Type.Array(node),
    connections,
    settings,
    pinData: Type.Optional(pinData),
  },
  { title: 'WorkflowVersionContent' },
);
export type WorkflowVersionContent = Static<typeof workflowVersionContent>;

export const listWorkflowVersionsQuery = Type.Object({
  ...pageQuery,
  number: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'only the version with this sequence number',
      examples: [3],
    }),
  ),
});
export type ListWorkflowVersionsQuery = Static<typeof listWorkflowVersionsQuery>;
