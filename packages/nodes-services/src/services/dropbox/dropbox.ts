import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { dropboxClient } from './dropbox-client.ts';
import { file } from './file.ts';
import { folder, search } from './folder.ts';

export const dropbox = defineService({
  displayName: 'Dropbox',
  name: 'dropbox',
  version: 1,
  description: 'Uploads, downloads, finds, and moves files and folders in Dropbox',
  credentials: [
    { name: 'dropboxApi', required: true, ...where({ authentication: ['accessToken'] }) },
    { name: 'dropboxOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:dropbox',
  iconColor: 'blue',
  client: dropboxClient,
  leading: [choice('authentication', 'Authentication', choices(['accessToken', 'Access Token'], ['oAuth2', 'OAuth2']))],
  resources: { file, folder, search },
});
