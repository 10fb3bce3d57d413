import type { NodeType } from '@sluice/node-sdk';
import { text, toggle, when } from '@sluice/nodes-base/node-tools';
import { schemaProperties } from '../../shared/input-schema.ts';
import { extraInputs, workflowProperties } from '../../shared/workflow-properties.ts';
import { supplyWorkflowTool } from './supply-workflow-tool.ts';

const first = [1, 1.1, 1.2, 1.3];
const second = [2, 2.1, 2.2];

/**
 * Another workflow as a tool of an agent. While it runs, the agent's execution occupies no worker.
 */
export const toolWorkflow: NodeType = {
  description: {
    displayName: 'Call Workflow Tool',
    name: 'tool-workflow',
    group: ['transform'],
    version: [...first, ...second],
    defaultVersion: 2.2,
    description:
      'Lets an agent call another workflow, from its Execute Workflow Trigger. The result is the output of its last node. A workflow may be called from its own project, or as `callerPolicy` in its settings allows.',
    defaults: { name: 'Call Workflow Tool' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [
      text('name', 'Name', 'Name of the tool for the model; default: the name of the node', when([...first, 2, 2.1])),
      text('description', 'Description', 'When the model should use the tool, and what it returns'),
      ...workflowProperties,
      text(
        'workflowInputs',
        'Workflow Inputs',
        'Values for the inputs that the workflow declares; `$fromAI()` lets the model choose one',
        {
          type: 'json',
          default: {},
          ...when(second, { source: ['database'] }),
        },
      ),
      text(
        'responsePropertyName',
        'Field to Return',
        'The field of the last item that is the result; without it, the whole output',
        {
          default: 'response',
          ...when(first),
        },
      ),
      extraInputs('Fields of the item that the workflow gets, besides the input of the model', when(first)),
      toggle(
        'specifyInputSchema',
        'Specify Input Schema',
        'Whether the model writes an object, which you describe',
        when(first),
      ),
      ...schemaProperties({ specifyInputSchema: [true], '@version': first }),
    ],
    icon: 'fa:network-wired',
  },
  supply: supplyWorkflowTool,
};
