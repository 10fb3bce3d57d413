import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Starts the workflow for each PDF file that is added to a folder.',
  needs: 'a Google account with access to the folder, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Enable the Google Drive API in the Google Cloud console. Polls read the changes of the drive, so each file is found once, even if it is moved into the folder or has an old date. A file that leaves the folder and comes back is found again. A folder may contain at most 40,000 files. Folders inside it are not watched.',
  parameters: {
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    triggerOn: 'specificFolder',
    folderToWatch: { __rl: true, mode: 'url', value: 'https://drive.google.com/drive/folders/folder1' },
    event: 'fileCreated',
    options: { fileType: 'application/pdf' },
  },
  outputs: [
    [
      {
        id: 'f2',
        name: 'f2.pdf',
        mimeType: 'application/pdf',
        parents: ['folder1'],
        trashed: false,
        modifiedTime: '2026-01-02T00:00:00.000Z',
      },
    ],
  ],
};
