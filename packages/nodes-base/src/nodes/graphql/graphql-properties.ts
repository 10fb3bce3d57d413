import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, list, text, toggle, when, where } from '../../shared/properties.ts';

export const graphqlVersions = [1, 1.1];

const formats = choices(['graphql', 'GraphQL (Raw)'], ['json', 'JSON']);
const asJson = where({ requestMethod: ['POST'], requestFormat: ['json'] });

export const graphqlProperties: readonly NodeProperty[] = [
  choice(
    'authentication',
    'Authentication',
    choices(
      ['none', 'None'],
      ['basicAuth', 'Basic Auth'],
      ['digestAuth', 'Digest Auth'],
      ['headerAuth', 'Header Auth'],
      ['oAuth1', 'OAuth1'],
      ['oAuth2', 'OAuth2'],
      ['queryAuth', 'Query Auth'],
      ['predefinedCredentialType', 'Predefined Credential Type'],
    ),
  ),
  {
    displayName: 'Credential Type',
    name: 'nodeCredentialType',
    type: 'credentialsSelect',
    default: '',
    required: true,
    ...where({ authentication: ['predefinedCredentialType'] }),
  },
  choice('requestMethod', 'HTTP Request Method', choices(['GET', 'GET'], ['POST', 'POST']), { default: 'POST' }),
  text('endpoint', 'Endpoint', 'Absolute, http or https', { required: true }),
  toggle(
    'allowUnauthorizedCerts',
    'Ignore SSL Issues (Insecure)',
    'Whether to accept any certificate. Others may then be able to read the traffic',
  ),
  choice('requestFormat', 'Request Format', formats, when([1], { requestMethod: ['POST'] })),
  choice('requestFormat', 'Request Format', formats, { ...when([1.1], { requestMethod: ['POST'] }), default: 'json' }),
  text('query', 'Query', 'In GraphQL', { required: true, typeOptions: { editor: 'graphqlEditor', rows: 6 } }),
  { displayName: 'Variables', name: 'variables', type: 'json', default: '', description: 'As a JSON object', ...asJson },
  text('operationName', 'Operation Name', 'Operation of the query to execute', asJson),
  choice('responseFormat', 'Response Format', choices(['json', 'JSON'], ['string', 'String'])),
  text('dataPropertyName', 'Response Data Property Name', 'Field for the text', {
    ...where({ responseFormat: ['string'] }),
    default: 'data',
  }),
  list('headerParametersUi', 'Headers', 'parameter', [text('name', 'Name', ''), text('value', 'Value', '')]),
];
