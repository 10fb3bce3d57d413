import { type NodeProperty, optionalCredentialText } from '@sluice/node-sdk';
import { collection, names, namesParameter, text, toggle } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { graphRefusal } from '../../shared/microsoft-graph.ts';
import type { ServiceNode } from '../../shared/service-item.ts';

/**
 * https://learn.microsoft.com/sharepoint/dev/apis/sharepoint-rest-graph: Microsoft Graph at the
 * address of SharePoint, with its tokens.
 */
export const sharePointClient = new ApiClient({
  service: 'Microsoft SharePoint',
  credentialType: 'microsoftSharePointOAuth2Api',
  baseUrl: (credential) => `https://${optionalCredentialText(credential, 'subdomain').trim()}.sharepoint.com/_api/v2.0`,
  refusalOf: graphRefusal,
});

const located = (name: string, displayName: string, description: string, searchListMethod: string): NodeProperty =>
  text(name, displayName, description, { required: true, typeOptions: { searchListMethod } });

export const site = located('site', 'Site', 'The site: from the list, or by ID', 'getSites');
export const folder = located('folder', 'Parent Folder', 'The folder: from the list, or by ID', 'getFolders');
export const file = located('file', 'File', 'The file: from the list, or by ID', 'getFiles');
export const list = located('list', 'List', 'The list: from the list, or by ID', 'getLists');
export const listItem = located('item', 'Item', 'The item: from the list, or by ID', 'getItems');

/** An ID as a part of a path. The ID of a site contains commas, which paths may contain. */
export const part = (id: string): string => encodeURIComponent(id.trim()).replaceAll('%2C', ',');

const partOf = (item: Pick<ServiceNode, 'id'>, parameter: string): string => part(item.id(parameter));

export const drivePath = (item: ServiceNode): string => `/sites/${partOf(item, 'site')}/drive/items`;
export const filePath = (item: ServiceNode): string => `${drivePath(item)}/${partOf(item, 'file')}`;
export const listsPath = (item: ServiceNode): string => `/sites/${partOf(item, 'site')}/lists`;
export const listPath = (item: ServiceNode): string => `${listsPath(item)}/${partOf(item, 'list')}`;
export const itemPath = (item: ServiceNode): string => `${listPath(item)}/items/${partOf(item, 'item')}`;

export const shown: readonly NodeProperty[] = [
  toggle('simplify', 'Simplify', 'Whether to return only the most used members', { default: true }),
  collection('options', 'Options', [names('fields', 'Fields', 'Members to return, instead of all or the most used ones')]),
];

/** Members of a response: those that the author chose, the most used ones, or all. */
export function selected(item: ServiceNode, simple: readonly string[]): { $select?: string } {
  const chosen = namesParameter(item.context, 'options.fields', item.index);
  if (chosen.length > 0) return { $select: chosen.join() };
  return item.toggle('simplify', true) ? { $select: simple.join() } : {};
}
