import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Finds the PDF files of a folder.',
  needs: 'a Google account with access to the folder, connected by OAuth2, or a service account with which it is shared',
  notes:
    'Enable the Google Drive API in the Google Cloud console, and add the scope `drive` to the consent screen. A service account can access only files that are shared with it, and has no storage of its own: it uploads to shared drives. Files of any size are uploaded and downloaded as streams; Google documents are exported with at most 10 MB. Google allows 12,000 requests per minute and user, and the node waits when it reaches the limit.',
  parameters: {
    resource: 'fileFolder',
    searchMethod: 'name',
    queryString: 'report',
    returnAll: true,
    filter: {
      folderId: { __rl: true, mode: 'url', value: 'https://drive.google.com/drive/folders/folder1' },
      whatToSearch: 'files',
      fileTypes: ['application/pdf'],
    },
    options: { fields: ['id', 'name'] },
  },
  inputs: [[{}]],
  outputs: [
    [
      { id: 'f1', name: 'report 1.pdf' },
      { id: 'f2', name: 'report 2.pdf' },
    ],
  ],
};
