import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { drive } from './drive.ts';
import { driveMethods } from './drive-methods.ts';
import { file } from './file.ts';
import { fileFolder } from './file-folder.ts';
import { folder } from './folder.ts';
import { byServiceAccount, driveClient, firstVersions, newVersion } from './google-drive-client.ts';

const version = [...firstVersions, ...newVersion];

export const googleDrive = defineService({
  displayName: 'Google Drive',
  name: 'google-drive',
  version,
  defaultVersion: 3,
  description: 'Uploads, downloads, finds, shares, and moves files in Google Drive',
  ...googleAccount('googleDriveOAuth2Api', { version, byServiceAccount }),
  icon: 'fa:hdd',
  iconColor: 'blue',
  client: driveClient,
  resources: { file, fileFolder, folder, drive },
  methods: driveMethods(driveClient),
});
