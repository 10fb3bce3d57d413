import type { NodeType } from '@sluice/node-sdk';
import { inZone } from '../../shared/form-page.ts';
import {
  appendAttribution,
  buttonLabel,
  customCss,
  formDescription,
  formFieldList,
  formTitle,
  respondWithOptions,
} from '../../shared/form-properties.ts';
import { booleanParameter } from '../../shared/parameters.ts';
import { choice, choices, names, options, text, toggle, when } from '../../shared/properties.ts';
import { formTriggerSpec, unsupportedUses } from './form-trigger-spec.ts';

const versions = [1, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6];
const before22 = [1, 2, 2.1];
const since22 = versions.filter((version) => version >= 2.2);
const modes = choices(
  ['onReceived', 'Form Is Submitted'],
  ['lastNode', 'Workflow Finishes'],
  ['responseNode', "Using 'Respond to Webhook' Node"],
);

const formOptions = options([
  appendAttribution,
  names(
    'ipWhitelist',
    'IP(s) Whitelist',
    'At most 2,000 addresses and networks that may open the form, separated by commas; empty: all',
  ),
  text('formSubmittedText', 'Form Submitted Text', 'Shown instead of the default thank-you text', when([1])),
  { ...buttonLabel, ...when(versions.slice(1)) },
  text('path', 'Form Path', 'Last part of the form’s URL; empty: the node ID', when(since22)),
  { ...respondWithOptions, ...when(versions.slice(1)) },
  toggle('ignoreBots', 'Ignore Bots', 'Whether to hide the form from crawlers and link previews', when(versions.slice(1))),
  toggle('useWorkflowTimezone', 'Use Workflow Timezone', 'Whether `submittedAt` is in the workflow’s time zone', when([2])),
  toggle('useWorkflowTimezone', 'Use Workflow Timezone', 'Whether `submittedAt` is in the workflow’s time zone', {
    default: true,
    ...when(versions.slice(2)),
  }),
  { ...customCss, ...when(versions.slice(2)) },
]);

/** Start of a workflow with a form. */
export const formTrigger: NodeType = {
  description: {
    displayName: 'Form Trigger',
    name: 'form-trigger',
    group: ['trigger'],
    version: versions,
    defaultVersion: 2.6,
    description:
      'Starts the workflow when a user submits its form, a page at `/form/<path>` while the workflow is active. Outputs one item with the values by field name, `submittedAt`, `formMode`, and the files. Form nodes after it show more pages',
    defaults: { name: 'On form submission' },
    inputs: [],
    outputs: ['main'],
    computesOnly: true,
    credentials: [{ name: 'httpBasicAuth' }],
    properties: [
      choice(
        'authentication',
        'Authentication',
        choices(['none', 'None'], ['basicAuth', 'Basic Auth'], ['n8nUserAuth', 'Users of this service', 'Not supported']),
        { description: 'Login required from users, from a credential of the node', ...when(versions.slice(1)) },
      ),
      text('path', 'Form Path', 'Last part of the form’s URL; empty: the node ID', when(before22)),
      formTitle(),
      formDescription(),
      formFieldList(),
      choice('responseMode', 'Respond When', modes),
      formOptions,
    ],
    icon: 'fa:list-alt',
    iconColor: 'green',
  },
  unsupported: unsupportedUses,
  triggers: (context) => [formTriggerSpec(context)],
  execute(context) {
    const inTimezone = booleanParameter(context, 'options.useWorkflowTimezone', 0, context.typeVersion > 2);
    const timezone = inTimezone ? context.workflow.timezone : 'UTC';
    return [context.items().map((item) => ({ ...item, json: inZone(item.json, timezone) }))];
  },
};
