import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, text, where } from '@sluice/nodes-base/node-tools';

/** The workflow that a sub-node calls. */
export const workflowProperties: readonly NodeProperty[] = [
  choice(
    'source',
    'Source',
    choices(
      ['database', 'Database', 'A workflow by its ID'],
      ['parameter', 'Define Below', 'A workflow as JSON; it runs as a part of this one'],
    ),
  ),
  text('workflowId', 'Workflow', 'Id of the workflow, as text or as what a list of workflows has chosen', {
    required: true,
    ...where({ source: ['database'] }),
  }),
  text('workflowJson', 'Workflow JSON', 'The workflow', { type: 'json', ...where({ source: ['parameter'] }) }),
];

/** Values for `withFields`. */
export function extraInputs(description: string, more: Partial<NodeProperty> = {}): NodeProperty {
  return {
    displayName: 'Extra Workflow Inputs',
    name: 'fields',
    type: 'fixedCollection',
    default: {},
    description,
    typeOptions: { multipleValues: true },
    options: [{ name: 'values', displayName: 'Values', values: fieldProperties() }],
    ...more,
  };
}

function fieldProperties() {
  const kinds = ['string', 'number', 'boolean', 'array', 'object'] as const;
  return [
    text('name', 'Name', 'Name of the field'),
    choice('type', 'Type', choices(...kinds.map((kind): [string, string] => [`${kind}Value`, kind])), {
      default: 'stringValue',
    }),
    ...kinds.map((kind) => text(`${kind}Value`, 'Value', 'The value', where({ type: [`${kind}Value`] }))),
  ];
}
