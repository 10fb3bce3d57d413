import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { folderType, quoted, searchDrives, searchFiles } from '../../shared/google-drive.ts';
import { document } from './document.ts';
import { docsClient, firstVersion, newVersion } from './google-docs-client.ts';

const version = [...firstVersion, ...newVersion];

export const googleDocs = defineService({
  displayName: 'Google Docs',
  name: 'google-docs',
  version,
  defaultVersion: 2,
  description: 'Creates, reads, and changes documents in Google Docs',
  ...googleAccount('googleDocsOAuth2Api', { version, byServiceAccount: firstVersion }),
  icon: 'fa:file-alt',
  iconColor: 'blue',
  client: docsClient,
  resources: { document },
  methods: { loadOptions: { getDrives, getFolders } },
});

async function getDrives(context: MethodContext): Promise<NodePropertyOption[]> {
  const { results } = await searchDrives(docsClient, context, {});
  return [{ name: 'My Drive', value: 'myDrive' }, { name: 'Shared with Me', value: 'sharedWithMe' }, ...results];
}

async function getFolders(context: MethodContext): Promise<NodePropertyOption[]> {
  const { results } = await searchFiles(docsClient, context, `mimeType = ${quoted(folderType)}`, {});
  return [{ name: '/', value: 'default' }, ...results.map(({ name, value }) => ({ name, value }))];
}
