import { headerText, type JsonObject } from '@sluice/node-sdk';
import { choice, choices, collection, list, names, namesParameter, text, toggle, where } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

const plain = where({ dynamicTemplate: [false] });
const byTemplate = where({ dynamicTemplate: [true] });

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
export const mail: Resource = {
  displayName: 'Mail',
  operations: {
    send: {
      displayName: 'Send',
      description: 'Sends an email',
      properties: [
        text('fromEmail', 'Sender Email', 'Email address of a verified sender', { required: true }),
        text('fromName', 'Sender Name', 'Name of the sender'),
        names('toEmail', 'Recipient Email', 'Email addresses of the recipients', { required: true }),
        toggle('dynamicTemplate', 'Dynamic Template', 'Whether the email is a dynamic template of SendGrid'),
        text('subject', 'Subject', 'Subject of the email', { required: true, ...plain }),
        choice('contentType', 'MIME Type', choices(['text/plain', 'Plain Text'], ['text/html', 'HTML']), plain),
        text('contentValue', 'Message Body', 'Content of the email', { required: true, ...plain }),
        text('templateId', 'Template Name or ID', 'ID of the template', {
          required: true,
          typeOptions: { loadOptionsMethod: 'getTemplateIds' },
          ...byTemplate,
        }),
        list(
          'dynamicTemplateFields',
          'Dynamic Template Fields',
          'fields',
          [text('key', 'Key', 'Name of the field'), text('value', 'Value', 'Value of the field')],
          byTemplate,
        ),
        collection('additionalFields', 'Additional Fields', [
          names('attachments', 'Attachments', 'Fields with files of the item'),
          names('bccEmail', 'BCC Email', 'Email addresses of BCC recipients'),
          names('categories', 'Categories', 'Up to 10 categories, for statistics'),
          names('ccEmail', 'CC Email', 'Email addresses of CC recipients'),
          toggle('enableSandbox', 'Enable Sandbox', 'Whether SendGrid only checks the email, without sending it'),
          list('headers', 'Headers', 'details', [
            text('key', 'Key', 'Name of the header'),
            text('value', 'Value', 'Value of the header'),
          ]),
          text('ipPoolName', 'IP Pool Name', 'IP pool to send from'),
          names('replyToEmail', 'Reply-To Email', 'Email addresses for replies'),
          text('sendAt', 'Send At', 'Time of delivery, at most 72 hours ahead'),
        ]),
      ],
      async run(item) {
        const { headers } = await item.exchange({ path: '/mail/send', json: await messageOf(item) });
        return { messageId: headerText(headers, 'x-message-id') };
      },
    },
  },
};

async function messageOf(item: ServiceItem): Promise<JsonObject> {
  const fields = item.fields('additionalFields');
  const isTemplate = item.toggle('dynamicTemplate');
  const [cc, bcc] = [addresses(item, 'additionalFields.ccEmail'), addresses(item, 'additionalFields.bccEmail')];
  const replyTo = addresses(item, 'additionalFields.replyToEmail');
  const categories = namesParameter(item.context, 'additionalFields.categories', item.index);
  const sendAt = await item.seconds('additionalFields.sendAt');
  const headers = pairs(item, 'additionalFields.headers.details');
  const attachments = await attachmentsOf(item);
  const data = isTemplate ? pairs(item, 'dynamicTemplateFields.fields') : {};
  const to = addresses(item, 'toEmail');
  if (to.length === 0) throw item.error('the parameter "toEmail" is required', 'Set it to the address of a recipient');
  return {
    personalizations: [
      {
        to,
        ...(cc.length > 0 && { cc }),
        ...(bcc.length > 0 && { bcc }),
        ...(Object.keys(data).length > 0 && { dynamic_template_data: data }),
      },
    ],
    from: { email: item.required('fromEmail').trim(), ...(item.text('fromName') !== '' && { name: item.text('fromName') }) },
    ...(replyTo.length > 0 && { reply_to_list: replyTo }),
    ...(isTemplate
      ? { template_id: item.required('templateId') }
      : {
          subject: item.required('subject'),
          content: [{ type: item.text('contentType', 'text/plain'), value: item.required('contentValue') }],
        }),
    ...(attachments.length > 0 && { attachments }),
    ...(categories.length > 0 && { categories }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(fields['ipPoolName'] !== undefined && { ip_pool_name: fields['ipPoolName'] }),
    ...(sendAt !== undefined && { send_at: sendAt }),
    ...(item.toggle('additionalFields.enableSandbox') && { mail_settings: { sandbox_mode: { enable: true } } }),
  };
}

const addresses = (item: ServiceItem, path: string): JsonObject[] =>
  namesParameter(item.context, path, item.index).map((email) => ({ email }));

function pairs(item: ServiceItem, path: string): JsonObject {
  const entries = item.entries(path).map(({ key, value = '' }) => [asText(key ?? ''), value] as const);
  return Object.fromEntries(entries.filter(([key]) => key !== ''));
}

/** SendGrid accepts 30 MB of base64 per email. */
const maxBytes = 22_000_000;

async function attachmentsOf(item: ServiceItem): Promise<JsonObject[]> {
  const attachments: JsonObject[] = [];
  let remainingBytes = maxBytes;
  for (const property of namesParameter(item.context, 'additionalFields.attachments', item.index)) {
    const file = item.file(property);
    const bytes = (file.fileSize ?? 0) > remainingBytes ? undefined : await item.context.binary.read(file, remainingBytes);
    if (!bytes) throw item.error('the attachments are larger than 22 MB', 'Store the files elsewhere, and send links to them');
    remainingBytes -= bytes.length;
    attachments.push({
      content: Buffer.from(bytes).toString('base64'),
      filename: file.fileName ?? property,
      type: file.mimeType,
    });
  }
  return attachments;
}
