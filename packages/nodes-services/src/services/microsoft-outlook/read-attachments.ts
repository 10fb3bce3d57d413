import type { ExecuteContext, JsonObject } from '@sluice/node-sdk';
import { FileItem } from '../../shared/file-item.ts';
import { asText } from '../../shared/json-values.ts';
import { graphPages } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import type { ServiceNode } from '../../shared/service-item.ts';
import { outlookClient, shaped } from './outlook-client.ts';

/** A node that reads messages: in a run, or in a poll. */
interface MailNode extends Pick<ServiceNode, 'access' | 'text'> {
  context: { binary: Pick<ExecuteContext['binary'], 'store'> };
}

/** Files in the message; attached messages and links have no bytes. */
export async function withAttachments(item: MailNode, message: JsonObject): Promise<FileItem> {
  const path = `/messages/${encodeURIComponent(asText(message['id'] ?? ''))}/attachments`;
  const request = { path, query: { $select: 'id,name,contentType' } };
  const list = await sendAll(outlookClient, item.access, request, graphPages);
  const prefix = item.text('options.attachmentsPrefix', 'attachment_') || 'attachment_';
  const binary: FileItem['binary'] = {};
  for (const { '@odata.type': kind = '#microsoft.graph.fileAttachment', id = '', name = '', contentType = '' } of list) {
    if (kind !== '#microsoft.graph.fileAttachment') continue;
    const file = { fileName: asText(name), mimeType: asText(contentType ?? '') };
    const content = { path: `${path}/${encodeURIComponent(asText(id))}/$value` };
    const property = `${prefix}${Object.keys(binary).length}`;
    binary[property] = await outlookClient.download(item.access, content, item.context.binary, file);
  }
  return new FileItem(shaped(item.text('output', 'simple'), message), binary);
}
