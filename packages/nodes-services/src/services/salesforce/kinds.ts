import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import { addNote, addToCampaign, idOf, type Kind, recordResource } from './record-resource.ts';
import { base64Of, recordPath } from './salesforce-client.ts';

const addressOf = (prefix: string): string[] =>
  ['City', 'Country', 'PostalCode', 'State', 'Street'].map((part) => `${prefix}${part}`);

const accounts: Kind = {
  sobject: 'Account',
  displayName: 'Account',
  id: 'accountId',
  required: ['name'],
  fields: [
    ...['accountNumber', 'accountSource', 'annualRevenue', ...addressOf('billing'), 'description', 'fax', 'industry'],
    ...['jigsaw', 'numberOfEmployees', 'owner', 'parentId', 'phone', 'rating', 'recordTypeId', ...addressOf('shipping')],
    ...['sicDesc', 'type', 'website'],
  ],
  listed: ['Id', 'Name', 'Type'],
  hasExternalId: true,
};

const contacts: Kind = {
  sobject: 'Contact',
  displayName: 'Contact',
  id: 'contactId',
  required: ['lastname'],
  fields: [
    ...['acconuntId', 'assistantName', 'assistantPhone', 'birthdate', 'department', 'description', 'email'],
    ...['emailBouncedDate', 'emailBouncedReason', 'fax', 'firstName', 'homePhone', 'jigsaw', 'leadSource'],
    ...[...addressOf('mailing'), 'mobilePhone', ...addressOf('other'), 'otherPhone', 'owner', 'phone', 'recordTypeId'],
    ...['salutation', 'title'],
  ],
  listed: ['Id', 'FirstName', 'LastName', 'Email'],
  hasExternalId: true,
};

const leads: Kind = {
  sobject: 'Lead',
  displayName: 'Lead',
  id: 'leadId',
  required: ['company', 'lastname'],
  fields: [
    ...['annualRevenue', 'city', 'country', 'description', 'email', 'fax', 'firstname', 'hasOptedOutOfEmail'],
    ...['hasOptedOutOfFax', 'industry', 'jigsaw', 'leadSource', 'mobilePhone', 'numberOfEmployees', 'owner', 'phone'],
    ...['postalCode', 'rating', 'recordTypeId', 'salutation', 'state', 'status', 'street', 'title', 'website'],
  ],
  listed: ['Id', 'Company', 'FirstName', 'LastName', 'Street', 'PostalCode', 'City', 'Email', 'Status'],
  hasExternalId: true,
};

const opportunities: Kind = {
  sobject: 'Opportunity',
  displayName: 'Opportunity',
  id: 'opportunityId',
  required: ['name', 'closeDate', 'stageName'],
  fields: [
    ...['accountId', 'amount', 'campaignId', 'description', 'forecastCategoryName', 'leadSource', 'nextStep', 'owner'],
    ...['pricebook2Id', 'probability', 'recordTypeId', 'type'],
  ],
  listed: ['Id', 'AccountId', 'Amount', 'Probability', 'Type'],
  hasExternalId: true,
};

const cases: Kind = {
  sobject: 'Case',
  displayName: 'Case',
  id: 'caseId',
  required: ['type'],
  fields: [
    ...['accountId', 'contactId', 'description', 'isEscalated', 'origin', 'owner', 'parentId', 'priority', 'reason'],
    ...['recordTypeId', 'status', 'subject', 'suppliedCompany', 'suppliedEmail', 'suppliedName', 'suppliedPhone'],
  ],
  listed: ['Id', 'AccountId', 'ContactId', 'Priority', 'Status', 'Subject', 'Type'],
};

const tasks: Kind = {
  sobject: 'Task',
  displayName: 'Task',
  id: 'taskId',
  required: ['status'],
  fields: [
    ...['activityDate', 'callDisposition', 'callDurationInSeconds', 'callObject', 'callType', 'description'],
    ...['isReminderSet', 'owner', 'priority', 'recordTypeId', 'reminderDateTime', 'subject', 'taskSubtype', 'type'],
    ...['whatId', 'whoId'],
  ],
  listed: ['Id', 'Subject', 'Status', 'Priority'],
};

const attachments: Kind = {
  sobject: 'Attachment',
  displayName: 'Attachment',
  id: 'attachmentId',
  required: [],
  fields: ['description', 'isPrivate', 'name', 'owner'],
  listed: ['Id', 'Name'],
};

const users: Kind = {
  sobject: 'User',
  displayName: 'User',
  id: 'userId',
  required: [],
  fields: [],
  listed: ['Id', 'Name', 'Email'],
};

export const account = recordResource(accounts, { addNote: addNote(accounts) });
export const contact = recordResource(contacts, { addToCampaign: addToCampaign(contacts), addNote: addNote(contacts) });
export const lead = recordResource(leads, { addToCampaign: addToCampaign(leads), addNote: addNote(leads) });
export const opportunity = recordResource(opportunities, { addNote: addNote(opportunities) });
export const task = recordResource(tasks);

export const caseResource = recordResource(cases, {
  addComment: {
    displayName: 'Add Comment',
    description: 'Adds a comment to a case',
    properties: [
      idOf(cases),
      collection('options', 'Options', [
        text('commentBody', 'Comment Body', 'Text of the comment'),
        toggle('isPublished', 'Is Published', 'Whether customers see the comment'),
      ]),
    ],
    run: (item) => {
      const { commentBody, isPublished } = item.fields('options');
      return item.send({
        path: recordPath('CaseComment'),
        json: { ParentId: item.id('caseId'), ...filledFields({ CommentBody: commentBody, IsPublished: isPublished }) },
      });
    },
  },
});

const ofAttachments = recordResource(attachments);

/** Attachments contain a file. */
export const attachment: Resource = {
  ...ofAttachments,
  operations: {
    ...ofAttachments.operations,
    create: {
      displayName: 'Create',
      description: 'Attaches a file to a record',
      properties: [
        text('parentId', 'Parent ID', 'ID of the record', { required: true }),
        text('name', 'Name', 'Name of the attachment', { required: true }),
        text('binaryPropertyName', 'Input Binary Field', 'Field with the file of the item', {
          default: 'data',
          required: true,
        }),
        collection('additionalFields', 'Additional Fields', [
          text('description', 'Description', 'Description of the attachment'),
          toggle('isPrivate', 'Is Private', 'Whether only its owner sees the attachment'),
          text('owner', 'Owner Name or ID', 'ID of the user who owns the attachment'),
        ]),
      ],
      async run(item) {
        const { description, isPrivate, owner } = item.fields('additionalFields');
        const { content } = await base64Of(item, item.text('binaryPropertyName', 'data') || 'data');
        return item.send({
          path: recordPath('Attachment'),
          json: {
            Name: item.required('name'),
            ParentId: item.id('parentId'),
            Body: content,
            ...filledFields({ Description: description, IsPrivate: isPrivate, OwnerId: owner }),
          },
        });
      },
    },
  },
};

const { get, getAll } = recordResource(users).operations;

/** Users are only read. */
export const user: Resource = {
  displayName: 'User',
  operations: { ...(get && { get }), ...(getAll && { getAll }) },
};
