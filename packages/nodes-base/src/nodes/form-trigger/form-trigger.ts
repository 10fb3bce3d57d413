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
  names('ipWhitelist', 'IP(s) Whitelist', 'Addresses and networks that may see the form, separated by commas; empty: all'),
  text('formSubmittedText', 'Form Submitted Text', 'Shown in place of a general word of thanks', when([1])),
  { ...buttonLabel, ...when(versions.slice(1)) },
  text('path', 'Form Path', 'What the address ends with; empty: the id of the node', when(since22)),
  { ...respondWithOptions, ...when(versions.slice(1)) },
  toggle('ignoreBots', 'Ignore Bots', 'Whether crawlers and link previews do not see the form', when(versions.slice(1))),
  toggle(
    'useWorkflowTimezone',
    'Use Workflow Timezone',
    'Whether `submittedAt` is in the time zone of the workflow',
    when([2]),
  ),
  toggle('useWorkflowTimezone', 'Use Workflow Timezone', 'Whether `submittedAt` is in the time zone of the workflow', {
    default: true,
    ...when(versions.slice(2)),
  }),
  { ...customCss, ...when(versions.slice(2)) },
]);

/** Where a workflow begins that somebody fills a form in for. */
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
        choices(['none', 'None'], ['basicAuth', 'Basic Auth'], ['n8nUserAuth', 'Users of the service', 'Not supported']),
        { description: 'What users must know, by a credential of the node', ...when(versions.slice(1)) },
      ),
      text('path', 'Form Path', 'What the address ends with; empty: the id of the node', when(before22)),
      formTitle(),
      formDescription(),
      formFieldList(),
      choice('responseMode', 'Respond When', modes, when(before22)),
      choice('responseMode', 'Respond When', modes.slice(0, 2), when(since22)),
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
