import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, list, optimizeProperties, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { supplyHttpTool } from './supply-http-tool.ts';

const methods = ['GET', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** A list of fields whose values the author or the model writes. */
const fields = (
  name: string,
  displayName: string,
  show: Record<string, readonly string[] | readonly boolean[]>,
): NodeProperty =>
  list(
    name,
    displayName,
    'values',
    [
      text('name', 'Name', 'Name of the field'),
      choice(
        'valueProvider',
        'Value Provided',
        choices(
          ['modelRequired', 'By Model (and is required)'],
          ['modelOptional', 'By Model (but is optional)'],
          ['fieldValue', 'Using Field Below'],
        ),
      ),
      text('value', 'Value', 'The value; {name} is an argument of the model'),
    ],
    where(show),
  );

const way = choices(
  ['keypair', 'Using Fields Below'],
  ['json', 'Using JSON Below'],
  ['model', 'Let Model Specify Entire Body'],
);

/** A request that an agent sends, with arguments from the model. */
export const toolHttpRequest: NodeType = {
  description: {
    displayName: 'HTTP Request Tool',
    name: 'tool-http-request',
    deprecated: true,
    group: ['transform'],
    version: [1, 1.1],
    description: 'Lets an agent make an HTTP request; {name} in it is an argument from the model',
    defaults: { name: 'HTTP Request' },
    inputs: [],
    outputs: ['ai_tool'],
    properties: [
      text('name', 'Name', 'Name of the tool for the model; by default that of the node'),
      text('toolDescription', 'Description', 'When the model should use the tool'),
      choice('method', 'Method', choices(...methods.map((method): [string, string] => [method, method]))),
      text('url', 'URL', 'The address', { required: true }),
      choice(
        'authentication',
        'Authentication',
        choices(
          ['none', 'None'],
          ['predefinedCredentialType', 'Predefined Credential Type'],
          ['genericCredentialType', 'Generic Credential Type'],
        ),
      ),
      text(
        'nodeCredentialType',
        'Credential Type',
        'Name of the type',
        where({ authentication: ['predefinedCredentialType'] }),
      ),
      text('genericAuthType', 'Generic Auth Type', 'Name of the type', where({ authentication: ['genericCredentialType'] })),
      toggle('sendQuery', 'Send Query Parameters', 'Whether the URL has a query'),
      choice('specifyQuery', 'Specify Query Parameters', way, where({ sendQuery: [true] })),
      fields('parametersQuery', 'Query Parameters', { sendQuery: [true], specifyQuery: ['keypair'] }),
      text('jsonQuery', 'JSON', 'A JSON object', where({ sendQuery: [true], specifyQuery: ['json'] })),
      toggle('sendHeaders', 'Send Headers', 'Whether the request has headers of its own'),
      choice('specifyHeaders', 'Specify Headers', way, where({ sendHeaders: [true] })),
      fields('parametersHeaders', 'Header Parameters', { sendHeaders: [true], specifyHeaders: ['keypair'] }),
      text('jsonHeaders', 'JSON', 'A JSON object', where({ sendHeaders: [true], specifyHeaders: ['json'] })),
      toggle('sendBody', 'Send Body', 'Whether the request has a body'),
      choice('specifyBody', 'Specify Body', way, where({ sendBody: [true] })),
      fields('parametersBody', 'Body Parameters', { sendBody: [true], specifyBody: ['keypair'] }),
      text('jsonBody', 'JSON', 'A JSON value', where({ sendBody: [true], specifyBody: ['json'] })),
      list('placeholderDefinitions', 'Placeholder Definitions', 'values', [
        text('name', 'Placeholder Name', 'Name in braces'),
        text('description', 'Description', 'What the model should write'),
        choice(
          'type',
          'Type',
          choices(
            ['not specified', 'Not Specified (Default)'],
            ['string', 'String'],
            ['number', 'Number'],
            ['boolean', 'Boolean'],
            ['json', 'JSON'],
          ),
        ),
      ]),
      ...optimizeProperties,
    ],
    icon: 'fa:globe',
  },
  supply: supplyHttpTool,
};
