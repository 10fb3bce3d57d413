import { type ExecuteContext, type NodeType, untilAborted } from '@sluice/node-sdk';
import { warnOfUnverifiedHost } from '../../clients/host-key-hint.ts';
import { choiceParameter, numberParameter } from '../../shared/parameters.ts';
import { where } from '../../shared/properties.ts';
import { mapWithClient } from '../../shared/with-client.ts';
import { EntryBudget } from './entry-budget.ts';
import { openFtpFiles } from './ftp-files.ts';
import { operationNames, operations } from './ftp-operations.ts';
import { ftpProperties } from './ftp-properties.ts';
import type { RemoteFiles } from './remote-files.ts';
import { openSftpFiles } from './sftp-files.ts';

/** Transfers files over FTP or SFTP, over one connection per run. */
export const ftp: NodeType = {
  description: {
    displayName: 'FTP',
    name: 'ftp',
    group: ['input'],
    version: [1, 1.1],
    description: 'Uploads, downloads, and manages files over FTP or SFTP',
    defaults: { name: 'FTP' },
    inputs: ['main'],
    outputs: ['main'],
    credentials: [
      { name: 'ftp', ...where({ protocol: ['ftp'] }) },
      { name: 'sftp', ...where({ protocol: ['sftp'] }) },
    ],
    properties: ftpProperties,
    icon: 'fa:server',
    iconColor: 'blue',
    subtitle: '={{ $parameter["protocol"] + ": " + $parameter["operation"] }}',
  },
  async execute(context) {
    const protocol = choiceParameter(context, 'protocol', 0, ['ftp', 'sftp'], 'ftp');
    const entries = new EntryBudget();
    const items = await mapWithClient(context, {
      service: protocol.toUpperCase(),
      open: () => openFiles(context, protocol),
      close: (files) => files.close(),
      step(files, item, itemIndex) {
        const operation = operations[choiceParameter(context, 'operation', itemIndex, operationNames, 'download')];
        return untilAborted(operation({ context, files, entries, item, itemIndex }), context.signal);
      },
    });
    return [items];
  },
};

async function openFiles(context: ExecuteContext, protocol: 'ftp' | 'sftp'): Promise<RemoteFiles> {
  const timeoutMs = Math.min(Math.max(numberParameter(context, 'options.timeout', 0, 10_000), 1_000), 600_000);
  const data = await context.credentials(protocol, 0);
  if (protocol === 'sftp') warnOfUnverifiedHost(context, data);
  return (protocol === 'sftp' ? openSftpFiles : openFtpFiles)(data, context, context.signal, timeoutMs);
}
