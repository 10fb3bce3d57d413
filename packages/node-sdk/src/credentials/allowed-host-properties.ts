import type { NodeProperty } from '../description.ts';
import type { CredentialTypeDefinition } from './credential.ts';

/**
 * Field that limits the hosts to which a credential may be sent: `all`, `domains` (the hosts in
 * `allowedDomainsField`), or `none`.
 */
export const domainsModeField = 'allowedHttpRequestDomains';
/**
 * Field with hosts, separated by commas or whitespace: `api.example.com`, `*.example.com`,
 * `example.com:8443`.
 */
export const allowedDomainsField = 'allowedDomains';

/**
 * The fields with which owners restrict a credential's hosts, for every type that authenticates
 * HTTP requests. Names and values follow the community format.
 */
export function allowedHostProperties({ hosts }: Pick<CredentialTypeDefinition, 'hosts'>): readonly NodeProperty[] {
  const onlyDeclared = hosts ? 'Only the hosts of the service' : 'No host';
  return [
    {
      displayName: 'Allowed HTTP Request Domains',
      name: domainsModeField,
      type: 'options',
      default: hosts ? 'none' : 'all',
      options: [
        { value: 'all', name: 'All', description: 'Any host' },
        { value: 'domains', name: 'Specific Domains', description: 'Only the hosts listed below' },
        { value: 'none', name: 'None', description: onlyDeclared },
      ],
      description: 'Hosts to which requests may carry this credential',
    },
    {
      displayName: 'Allowed Domains',
      name: allowedDomainsField,
      type: 'string',
      default: '',
      required: true,
      displayOptions: { show: { [domainsModeField]: ['domains'] } },
      description: 'Hosts separated by commas: `api.example.com`, `*.example.com`, `example.com:8443`',
    },
  ];
}
