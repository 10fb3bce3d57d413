import type { NodeExample } from '@sluice/nodes-base/testing';

export const example: NodeExample = {
  shows: 'Lists the files of a folder.',
  needs: 'a Nextcloud account with an app password (Settings → Security), or OAuth2 that the administrator has set up',
  notes:
    'The credential names the WebDAV address, such as `https://cloud.example.com/remote.php/webdav`. Paths are below it, with or without a slash at their start.',
  parameters: { resource: 'folder', operation: 'list', path: '/Invoices 2026' },
  inputs: [[{}]],
  outputs: [
    [
      {
        path: '/Invoices 2026/one.pdf',
        type: 'file',
        lastModified: 'Sat, 31 Jan 2026 12:00:00 GMT',
        contentLength: 5,
        contentType: 'application/pdf',
        eTag: 'e1',
      },
      { path: '/Invoices 2026/Paid', type: 'folder', lastModified: 'Sat, 31 Jan 2026 12:00:00 GMT' },
    ],
  ],
};
