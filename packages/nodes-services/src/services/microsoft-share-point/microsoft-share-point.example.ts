import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Adds an item to a list for each item.',
  needs:
    'an account of Microsoft 365 with SharePoint, connected by an app registration in Microsoft Entra ID (Web, with the redirect URL of the credential) that has the delegated permissions `AllSites.Write` and `MyFiles.Write` of SharePoint',
  notes:
    'Uses Microsoft Graph at the address of SharePoint, version 2.0. The subdomain of the credential is that of `<subdomain>.sharepoint.com`. Sites, folders, files, lists, and items are chosen from a list, or by ID; `root` is the top folder. Columns have their internal names, such as `Due_x0020_Date`. Conditions on columns without an index fail for lists with more than 5,000 items.',
  parameters: {
    resource: 'item',
    operation: 'create',
    site: { __rl: true, mode: 'id', value: 'acme.sharepoint.com,s1,w1' },
    list: { __rl: true, mode: 'id', value: 'l1' },
    columns: { mappingMode: 'defineBelow', value: { Title: '={{ $json.title }}' } },
  },
  inputs: [[{ title: 'Call Ada' }]],
  outputs: [[{ id: '7', fields: { Title: 'Call Ada' } }]],
};
