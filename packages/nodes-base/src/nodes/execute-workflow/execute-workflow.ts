import type { NodeType } from '@sluice/node-sdk';
import { choice, choices, options, text, toggle, when, where } from '../../shared/properties.ts';
import { callWorkflows, takeResults, unsupportedUses } from './call-workflows.ts';

const versions = [1, 1.1, 1.2, 1.3, 1.4];

/**
 * Runs other workflows with the input items and returns their results. Meanwhile, the execution
 * occupies no worker.
 */
export const executeWorkflow: NodeType = {
  description: {
    displayName: 'Execute Workflow',
    name: 'execute-workflow',
    group: ['transform'],
    version: versions,
    description:
      'Runs another workflow from its Execute Workflow Trigger, and outputs the result of its last node. A workflow may be called from its own project, or as `callerPolicy` in its settings allows.',
    defaults: { name: 'Execute Workflow' },
    inputs: ['main'],
    outputs: ['main'],
    properties: [
      choice(
        'source',
        'Source',
        choices(
          ['database', 'Database', 'A workflow by its ID'],
          ['parameter', 'Define Below', 'A workflow as JSON; it runs as a part of this workflow'],
          ['localFile', 'Local File', 'Not supported'],
          ['url', 'URL', 'Not supported'],
        ),
        when([1, 1.1]),
      ),
      choice(
        'source',
        'Source',
        choices(
          ['database', 'Database', 'A workflow by its ID'],
          ['parameter', 'Define Below', 'A workflow as JSON; it runs as a part of this workflow'],
        ),
        when([1.2, 1.3, 1.4]),
      ),
      text('workflowId', 'Workflow', 'Workflow ID, as text or as a selection from the workflow list', {
        required: true,
        ...where({ source: ['database'] }),
      }),
      text('workflowJson', 'Workflow JSON', 'The workflow', { type: 'json', ...where({ source: ['parameter'] }) }),
      text('workflowInputs', 'Workflow Inputs', 'Values for the inputs that the workflow declares', {
        type: 'json',
        default: {},
        ...when([1.2, 1.3, 1.4], { source: ['database'] }),
      }),
      choice(
        'mode',
        'Mode',
        choices(['once', 'Run once with all items'], ['each', 'Run once for each item', 'One after the other']),
      ),
      options([
        toggle(
          'waitForSubWorkflow',
          'Wait For Sub-Workflow Completion',
          'Whether to wait until it ends; otherwise, the items are passed on as soon as it has started',
          { default: true },
        ),
      ]),
    ],
    icon: 'fa:sign-in-alt',
    iconColor: 'orange',
  },
  unsupported: unsupportedUses,
  execute: callWorkflows,
  resume: takeResults,
};
